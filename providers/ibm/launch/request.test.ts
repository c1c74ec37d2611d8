import { describe, expect, it } from 'vitest'
import { FakeLookups, image, scope, wantedWith, type Given } from '../../../test/support/clouds/ibm-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { instanceName } from '../../shared/instance-name.ts'
import type { Launch } from '../../instances.ts'
import { plan } from './plan.ts'
import { instancePrototype, isAskedFor } from './request.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const name = instanceName(ours) ?? ''

async function launch(given: Given, userData = '#cloud-config'): Promise<Launch> {
  const lookups = new FakeLookups()
  lookups.keyNames = [{ id: 'r006-key', name: 'admin' }]
  lookups.groupNames = [{ id: 'r006-nodes', name: 'nodes' }]
  const { request } = await plan(wantedWith(given), lookups, quietCtx())
  return { ...ours, scope, request, userData: new TextEncoder().encode(userData), clusterName: 'c1' }
}

async function body(given: Given): Promise<object> {
  return instancePrototype(await launch(given))
}

/** In every request. */
const common = {
  name,
  zone: { name: 'us-south-1' },
  profile: { name: 'bxf-2x8' },
  image: { id: image },
  vpc: { id: 'r006-vpc' },
  primary_network_interface: { name, subnet: { id: '0717-subnet' } },
  user_data: '#cloud-config',
  availability: { class: 'standard' },
  reservation_affinity: { policy: 'disabled' },
  boot_volume_attachment: { delete_volume_on_instance_delete: true, volume: { profile: { name: 'general-purpose' } } },
}

describe('the golden request', () => {
  it('of a machine with nothing: class and affinity are said all the same, and the disk ends with it', async () => {
    expect(await body({})).toEqual(common)
  })

  it('of a spot machine with everything', async () => {
    const spot = await body({
      machine: {
        availability: { class: 'spot' },
        availabilityPolicy: { preemption: 'delete', hostFailure: 'stop' },
        reservationAffinity: { policy: 'disabled', pool: [] },
        primaryNetworkInterface: { subnet: '0717-subnet', securityGroups: [{ name: 'nodes' }, { id: 'r006-own' }] },
        sshKeys: [{ name: 'admin' }, { id: 'r006-other' }],
        bootVolume: {
          sizeGiB: 100,
          profile: 'custom',
          iops: 4000,
          encryptionKeyCRN: 'crn:v1:key',
          deleteVolumeOnInstanceDelete: true,
        },
        placementTarget: { placementGroup: { id: 'r006-apart' } },
        metadataService: { enabled: true, protocol: 'https', responseHopLimit: 2 },
      },
      cluster: { resourceGroup: '0123456789abcdef0123456789abcdef' },
    })
    expect(spot).toEqual({
      ...common,
      resource_group: { id: '0123456789abcdef0123456789abcdef' },
      primary_network_interface: {
        name,
        subnet: { id: '0717-subnet' },
        security_groups: [{ id: 'r006-nodes' }, { id: 'r006-own' }],
      },
      keys: [{ id: 'r006-key' }, { id: 'r006-other' }],
      availability: { class: 'spot' },
      availability_policy: { preemption: 'delete', host_failure: 'stop' },
      boot_volume_attachment: {
        delete_volume_on_instance_delete: true,
        volume: {
          profile: { name: 'custom' },
          capacity: 100,
          iops: 4000,
          encryption_key: { crn: 'crn:v1:key' },
        },
      },
      placement_target: { id: 'r006-apart' },
      metadata_service: { enabled: true, protocol: 'https', response_hop_limit: 2 },
    })
  })

  it('of a spot machine that says no more: it is stopped when it is taken back', async () => {
    expect(await body({ machine: { availability: { class: 'spot' } } })).toEqual({
      ...common,
      availability: { class: 'spot' },
      availability_policy: { preemption: 'stop' },
    })
  })

  it('of a machine in a reservation', async () => {
    const reservationAffinity = { policy: 'manual', pool: [{ id: '0717-reservation' }] } as const
    expect(
      await body({ machine: { reservationAffinity: { ...reservationAffinity, pool: [{ id: '0717-reservation' }] } } }),
    ).toEqual({ ...common, reservation_affinity: { policy: 'manual', pool: [{ id: '0717-reservation' }] } })
  })

  it('of a machine that takes what reservations there are', async () => {
    expect(await body({ machine: { reservationAffinity: { policy: 'automatic' } } })).toEqual({
      ...common,
      reservation_affinity: { policy: 'automatic' },
    })
  })

  it.each(['dedicatedHost', 'dedicatedHostGroup'] as const)('of a standard machine on a %s', async (kind) => {
    expect(await body({ machine: { placementTarget: { [kind]: { id: '0717-own' } } } })).toEqual({
      ...common,
      placement_target: { id: '0717-own' },
    })
  })

  it('of a machine where the VPC is not said: IBM has it from the subnet', async () => {
    const { vpc: _, ...rest } = common
    const network = { workerSubnets: [{ id: '0717-subnet', zone: 'us-south-1' }] }
    expect(await body({ cluster: { network } })).toEqual(rest)
  })
})

describe('before any call', () => {
  it('bootstrap data that IBM would not take is refused', async () => {
    const want = { ...(await launch({})), userData: new Uint8Array(65_537) }
    expect(() => instancePrototype(want)).toThrow(expect.objectContaining({ code: 'UserDataTooLarge' }))
  })

  it('an owner id that no name can hold is refused, with the annotation', async () => {
    const want = { ...(await launch({})), owner: 'Somebody wrote this' }
    expect(() => instancePrototype(want)).toThrow(
      'Remove the annotation spot.cluster.x-k8s.io/owner-id from the Cluster',
    )
  })
})

it('the frozen request is JSON and holds neither name nor user data', async () => {
  const want = await launch({ machine: { availability: { class: 'spot' } } }, '#canary')
  const text = JSON.stringify(want.request)
  expect(text).not.toMatch(/canary|tokennumber1|ownerone01/)
  expect(instancePrototype({ ...want, request: JSON.parse(text) as Launch['request'] })).toEqual(
    instancePrototype(want),
  )
})

describe('an instance is what was asked for', () => {
  const shown = {
    id: 'i',
    name,
    crn: 'crn',
    status: 'running',
    profile: { name: 'bxf-2x8' },
    zone: { name: 'us-south-1' },
    vpc: { id: 'r006-vpc' },
    resource_group: { id: 'group' },
  }

  it.each([
    ['where and what it was to be', {}, true],
    ['in any resource group, where none was asked for', { resource_group: { id: 'another' } }, true],
    ['but not in another VPC', { vpc: { id: 'r006-another' } }, false],
    ['but not of another profile', { profile: { name: 'bxf-4x16' } }, false],
    ['but not where it does not say its VPC', { vpc: undefined }, false],
  ])('%s', async (_, over, isIt) => {
    expect(isAskedFor(await launch({}), { ...shown, ...over } as typeof shown)).toBe(isIt)
  })

  it('but not in another resource group', async () => {
    const want = await launch({ cluster: { resourceGroup: 'group' } })
    expect(isAskedFor(want, shown)).toBe(true)
    expect(isAskedFor(want, { ...shown, resource_group: { id: 'another' } })).toBe(false)
  })
})
