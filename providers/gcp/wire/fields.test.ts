import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { withFields, withScopeFields } from './fields.ts'

const said = (kind: RefusalKind, code: string, message: string) => new CloudError(kind, { code, message })
const invalidValue = (path: string, value: string, why: string) =>
  `Invalid value for field '${path}': '${value}'. ${why}`

it.each<[message: string, field: string]>([
  [
    invalidValue(
      'resource.machineType',
      'zones/us-central1-a/machineTypes/e2-nope',
      "Machine type with name 'e2-nope' does not exist in zone 'us-central1-a'.",
    ),
    'spec.instanceType of the GCPMachine',
  ],
  [
    invalidValue(
      'resource.disks[0].initializeParams.sourceImage',
      'projects/p/global/images/lost',
      'The referenced image resource cannot be found.',
    ),
    'spec.image, spec.imageFamily of the GCPMachine',
  ],
  [
    "The resource 'projects/p/global/images/family/lost' was not found",
    'spec.image, spec.imageFamily of the GCPMachine',
  ],
  [
    'Requested boot disk architecture (X86_64) is not compatible with machine type architecture (ARM64).',
    'spec.instanceType, spec.image of the GCPMachine',
  ],
  [
    '[pd-standard] features are not compatible for creating instance.',
    'spec.rootDeviceType, spec.additionalDisks of the GCPMachine',
  ],
  [
    invalidValue('resource.disks[0].initializeParams.diskSizeGb', '5', 'Requested disk size cannot be smaller.'),
    'spec.rootDeviceType, spec.rootDeviceSize of the GCPMachine',
  ],
  [
    invalidValue(
      'resource.networkInterfaces[0].subnetwork',
      'projects/p/regions/us-central1/subnetworks/lost',
      'The referenced subnetwork resource cannot be found.',
    ),
    'spec.subnet of the GCPMachine, spec.network of the GCPCluster',
  ],
  [
    invalidValue('resource.networkInterfaces[0].network', 'projects/p/global/networks/lost', 'It cannot be found.'),
    'spec.network of the GCPCluster',
  ],
  [
    invalidValue('resource.networkInterfaces[0].aliasIpRanges[0].subnetworkRangeName', 'lost', 'No such range.'),
    'spec.aliasIPRanges of the GCPMachine',
  ],
  [
    invalidValue('resource.serviceAccounts[0].email', 'nobody', 'The specified service account is invalid.'),
    'spec.serviceAccounts of the GCPMachine',
  ],
  [
    invalidValue('resource.guestAccelerators[0].acceleratorType', 'x', 'The acceleratorType cannot be found.'),
    'spec.guestAccelerators of the GCPMachine',
  ],
  [
    invalidValue('zone', 'us-central1-z', 'Unknown zone.'),
    'spec.failureDomain of the Machine, spec.failureDomains of the GCPCluster',
  ],
  [
    "GCE refuses the value of the field 'resource.metadata.items[1].value'.",
    'spec.additionalMetadata of the GCPMachine, the bootstrap data (spec.bootstrap of the Machine)',
  ],
])('%s', (message, field) => {
  expect(withFields(said('invalid', 'invalid', message))).toMatchObject({ message: `${field}: ${message}` })
})

it('names the reservation, of which GCE says only the name', () => {
  const lost = said('reservation', 'badRequest', 'Specified reservations [lost] do not exist.')
  expect(withFields(lost).message).toMatch(/^spec\.reservationAffinity of the GCPMachine: /)
})

it.each<[RefusalKind, message: string, field: string | undefined]>([
  ['denied', "Required 'compute.instances.list' permission for 'projects/lost'", 'spec.project of the GCPCluster'],
  ['denied', "The resource 'projects/lost' was not found", 'spec.project of the GCPCluster'],
  ['invalid', invalidValue('region', 'moon', 'Unknown region.'), 'spec.region of the GCPCluster'],
  ['denied', "Required 'compute.instances.create' permission for 'projects/p/zones/z/instances/i'", undefined],
  ['missing', "The resource 'projects/p/zones/z/instances/i' was not found", undefined],
])('of no matter which call, %s: %s', (kind, message, field) => {
  const error = said(kind, 'forbidden', message)
  expect(withScopeFields(error).message).toBe(field === undefined ? message : `${field}: ${message}`)
})
