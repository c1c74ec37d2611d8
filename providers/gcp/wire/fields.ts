import type { CloudError } from '../../../api/cloud-error.ts'
import { bootstrapData, failureDomain, fieldsOf, naming, ofSpecs } from '../../shared/fields.ts'

const machine = fieldsOf('GCPMachine')
const cluster = fieldsOf('GCPCluster')
const image = machine('image', 'imageFamily')
const scheduling = machine('provisioningModel', 'preemptible', 'onHostMaintenance')

/** By the words of GCE's message, the first row that fits: its reasons say only that something is wrong. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/architecture/i, machine('instanceType', 'image')],
  [/resource\.metadata|metadata value/i, `${machine('additionalMetadata')}, ${bootstrapData}`],
  [/encryption ?key|\bkms\b|cryptoKeys/i, machine('rootDiskEncryptionKey', 'additionalDisks')],
  [/accelerator/i, machine('guestAccelerators')],
  [/source ?image|\bimages?\b/i, image],
  [/disks\[0\]/i, machine('rootDeviceType', 'rootDeviceSize')],
  [/disks\[\d+\]/i, machine('additionalDisks')],
  [/\b(pd-\w+|hyperdisk|local-ssd|disk ?types?)\b/i, machine('rootDeviceType', 'additionalDisks')],
  [/alias ?ip|subnetworkRange|secondary range/i, machine('aliasIPRanges')],
  [/accessConfig|external ip/i, machine('publicIP')],
  [/subnetwork/i, `${machine('subnet')}, ${cluster('network')}`],
  [/networkInterfaces|\bnetworks?\b/i, cluster('network')],
  [/service ?account/i, machine('serviceAccounts')],
  [/reservation/i, machine('reservationAffinity')],
  [/termination ?action/i, machine('instanceTerminationAction')],
  [/preemption ?notice/i, machine('preemptionNoticeDuration')],
  [/scheduling|preemptible|provisioning ?model|host ?maintenance|live migration/i, scheduling],
  [/confidential|\bSEV\b|\bTDX\b/i, machine('confidentialCompute')],
  [/shielded|secure ?boot|vtpm|integrity ?monitoring|\buefi\b/i, machine('shieldedInstanceConfig')],
  [/labels?\b/i, `${machine('additionalLabels')}, ${cluster('additionalLabels')}`],
  [/\btags?\b/i, machine('additionalNetworkTags')],
  [/machine ?types?\b/i, machine('instanceType')],
  [/'zone'|unknown zone|zone .+ not found/i, `${failureDomain}, ${cluster('failureDomains')}`],
  [/'region'|unknown region/i, cluster('region')],
]

/** The same refusal, with our names of the fields before GCE's own words. */
export const withFields: (error: CloudError) => CloudError = naming({ kinds: ofSpecs, byCode: {}, byMessage })

/** The same for refusals of any call that say that the project or region does not exist, or not for us. */
export const withScopeFields: (error: CloudError) => CloudError = naming({
  kinds: ['denied', 'invalid'],
  byCode: {},
  byMessage: [
    [/'projects\/[^/']+'|\bproject (id|not found)\b|find project/i, cluster('project')],
    [/'region'|unknown region|'projects\/[^/']+\/regions\/[^/']+'/i, cluster('region')],
  ],
})
