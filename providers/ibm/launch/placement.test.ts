import { describe, expect, it } from 'vitest'
import { FakeLookups, flex, wantedWith, type Given } from '../../../test/support/clouds/ibm-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { failureDomainsOf, readWanted } from './wanted.ts'
import { subnetsFor } from './placement.ts'

const unsaid = { primaryNetworkInterface: undefined }

async function chosen(given: Given, { lookups = new FakeLookups(), zones = [] as string[] } = {}): Promise<string[]> {
  const found = await subnetsFor(readWanted(wantedWith(given)), { ...flex, zones }, lookups, quietCtx())
  return found.map(({ id }) => id)
}

describe('where a machine goes', () => {
  it('to its own subnet, and nowhere else', async () => {
    expect(await chosen({})).toEqual(['0717-subnet'])
  })

  it('to one in its failure domain', async () => {
    expect(await chosen({ machine: unsaid, failureDomain: 'us-south-2' })).toEqual(['0727-subnet'])
  })

  it('to one in the zone that it names itself, as upstream has it', async () => {
    expect(await chosen({ machine: { ...unsaid, zone: 'us-south-2' } })).toEqual(['0727-subnet'])
  })

  it('to any of the cluster’s, each machine with an order of its own, the same every time', async () => {
    const orders = await Promise.all(Array.from({ length: 30 }, (_, n) => chosen({ name: `m${n}`, machine: unsaid })))
    expect(new Set(orders.map(([first]) => first)).size).toBe(3)
    expect(orders.map((order) => order.toSorted())).toEqual(
      orders.map(() => ['0717-subnet', '0727-subnet', '0737-subnet']),
    )
    expect(await chosen({ name: 'm0', machine: unsaid })).toEqual(orders[0])
  })

  it('only to zones with such hardware, unless that leaves none', async () => {
    const given = { machine: unsaid }
    expect(await chosen(given, { zones: ['us-south-3'] })).toEqual(['0737-subnet'])
    expect(await chosen(given, { zones: ['us-south-9'] })).toHaveLength(3)
  })

  it('not where it was full before; where all were, that is what it is refused for', async () => {
    const exclude = ['0717-subnet', '0727-subnet']
    expect(await chosen({ machine: unsaid, exclude })).toEqual(['0737-subnet'])
    await expect(chosen({ machine: unsaid, exclude: [...exclude, '0737-subnet'] })).rejects.toMatchObject({
      kind: 'subnet',
      message: 'None of the 3 matching subnets in spec.network.workerSubnets of the IBMCluster has a free address.',
    })
  })
})

describe('what nobody has said', () => {
  const own = { primaryNetworkInterface: { subnet: '0717-other' } }
  const lookups = () => {
    const fake = new FakeLookups()
    fake.known = [{ id: '0717-other', zone: 'us-south-1', vpc: 'r006-vpc' }]
    return fake
  }

  it('is asked for, and what was said is not', async () => {
    const asked = lookups()
    expect(await chosen({ machine: own }, { lookups: asked })).toEqual(['0717-other'])
    const silent = lookups()
    await chosen({ machine: unsaid }, { lookups: silent })
    expect([asked.asked, silent.asked]).toEqual([['subnet 0717-other'], []])
  })

  it.each([
    [
      'a subnet that is not there',
      { primaryNetworkInterface: { subnet: '0717-none' } },
      {},
      'IBM Cloud shows no subnet 0717-none in us-south',
    ],
    [
      'a subnet of another VPC',
      own,
      { network: { vpc: { id: 'r006-else' } } },
      'is in VPC r006-vpc, but spec.network.vpc.id of the IBMCluster is r006-else',
    ],
    [
      'no subnet at all',
      unsaid,
      { network: {} },
      'spec.network.workerSubnets of the IBMCluster: it is empty; add a subnet',
    ],
  ])('%s is refused, with the field', async (_, machine, cluster, says) => {
    await expect(chosen({ machine, cluster }, { lookups: lookups() })).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(says) as string,
    })
  })

  it('a failure domain without a subnet is refused, with those that have one', async () => {
    await expect(chosen({ machine: unsaid, failureDomain: 'us-south-4' })).rejects.toThrow(
      'No subnet in us-south-4, the failure domain of the Machine: spec.network.workerSubnets of the IBMCluster only has subnets in us-south-1, us-south-2, us-south-3.',
    )
  })
})

it('the failure domains of a cluster are the zones that it says', () => {
  const { cluster } = wantedWith({
    cluster: {
      network: { workerSubnets: [{ id: 'a', zone: 'us-south-2' }, { id: 'b' }, { id: 'c', zone: 'us-south-2' }] },
    },
  })
  expect(failureDomainsOf(cluster.spec)).toEqual([{ name: 'us-south-2', controlPlane: false }])
  expect(failureDomainsOf({ region: 'us-south' })).toEqual([])
})

describe('where an attempt has asked before', () => {
  const at = { subnet: '0727-subnet', zone: 'us-south-2' }
  const anew = { machine: unsaid }

  it('is asked again, whatever the specs say by now; what they allow besides comes after it', async () => {
    expect(await chosen({ ...anew, at, failureDomain: 'us-south-1' })).toEqual(['0727-subnet', '0717-subnet'])
    expect(await chosen({ ...anew, at, failureDomain: 'us-south-1', exclude: ['0717-subnet'] })).toEqual([
      '0727-subnet',
    ])
  })

  it('is asked again when the specs no longer know that place, or any', async () => {
    expect(await chosen({ ...anew, at, cluster: { network: { workerSubnets: [] } } })).toEqual(['0727-subnet'])
  })
})
