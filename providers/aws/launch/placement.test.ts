import { describe, expect, it } from 'vitest'
import { FakeLookups, network, wantedWith, type Given } from '../../../test/support/clouds/aws-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { subnetsFor } from './placement.ts'
import { readWanted } from './wanted.ts'

const inCluster: Given = { machine: { subnet: undefined } }

async function chosen(given: Given, lookups = new FakeLookups()): Promise<string[]> {
  return (await subnetsFor(readWanted(wantedWith(given)), lookups, quietCtx())).map(({ id }) => id)
}

async function refusal(given: Given, lookups?: FakeLookups): Promise<CloudError> {
  const thrown: unknown = await chosen(given, lookups).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(CloudError)
  return thrown as CloudError
}

describe('the machine’s own subnet', () => {
  it('comes before all, public or not, and nobody is asked about one that the cluster knows', async () => {
    const lookups = new FakeLookups()
    expect(await chosen({ machine: { subnet: { id: 'subnet-public' } } }, lookups)).toEqual(['subnet-public'])
    expect(lookups.asked).toEqual([])
  })

  it('is looked up where the cluster does not know it', async () => {
    const lookups = new FakeLookups()
    lookups.subnetsFor = () => [{ id: 'subnet-own', zone: 'us-east-1c', isPublic: false }]
    const [own] = await subnetsFor(
      readWanted(wantedWith({ machine: { subnet: { id: 'subnet-own' } } })),
      lookups,
      quietCtx(),
    )
    expect(own).toEqual({ id: 'subnet-own', zone: 'us-east-1c', isPublic: false })
    expect(lookups.asked).toEqual(['subnets subnet-id=subnet-own'])
  })

  it('in another zone than the failure domain is refused, with both', async () => {
    const { kind, message } = await refusal({ machine: { subnet: { id: 'subnet-b' } }, failureDomain: 'us-east-1a' })
    expect(kind).toBe('invalid')
    expect(message).toBe(
      'No subnet in us-east-1a, the failure domain of the Machine: spec.subnet of the AWSMachine only has subnets in us-east-1b.',
    )
  })

  it('that is not there is an invalid configuration that names the field', async () => {
    const { kind, message } = await refusal({ machine: { subnet: { id: 'subnet-gone' } } })
    expect(kind).toBe('invalid')
    expect(message).toBe('spec.subnet of the AWSMachine: EC2 shows no such subnet in us-east-1; correct it.')
  })

  it('is found by filters, in the cluster’s VPC', async () => {
    const lookups = new FakeLookups()
    lookups.subnetsFor = () => [
      { id: 'subnet-1', zone: 'us-east-1a', isPublic: false },
      { id: 'subnet-2', zone: 'us-east-1a', isPublic: false },
    ]
    const subnet = { filters: [{ name: 'tag:for', values: ['x', 'y'] }] }
    const cluster = { network: { vpc: { id: 'vpc-1' } } }
    expect(await chosen({ machine: { subnet }, cluster }, lookups)).toEqual(['subnet-1', 'subnet-2'])
    expect(lookups.asked).toEqual(['subnets vpc-id=vpc-1 tag:for=x|y state=available'])
  })
})

describe('a subnet of the cluster', () => {
  it('is one in the failure domain', async () => {
    expect(await chosen({ ...inCluster, failureDomain: 'us-east-1b' })).toEqual(['subnet-b'])
  })

  it('is a private one, and a public one only where there is no other', async () => {
    expect(await chosen({ ...inCluster, failureDomain: 'us-east-1a' })).toEqual(['subnet-a'])
    const subnets = network.subnets.slice(0, 1)
    expect(await chosen({ ...inCluster, cluster: { network: { subnets } } })).toEqual(['subnet-public'])
  })

  it('is a public one for a machine with a public address', async () => {
    const machine = { ...inCluster.machine, publicIP: true }
    expect(await chosen({ machine })).toEqual(['subnet-public'])
    const { kind, message } = await refusal({ machine, failureDomain: 'us-east-1b' })
    expect(kind).toBe('invalid')
    expect(message).toMatch(/^No public subnet for spec\.publicIP of the AWSMachine: spec\.network\.subnets/)
  })

  it('is not one that was full; the next is of the same zone, then of another', async () => {
    const subnets = ['b1', 'a1', 'b2', 'a2'].map((id) => ({ id, availabilityZone: `us-east-1${id.charAt(0)}` }))
    const given = { ...inCluster, cluster: { network: { subnets } } }
    const [first = '', second = '', ...rest] = await chosen(given)
    expect(second.charAt(0)).toBe(first.charAt(0))
    expect(await chosen({ ...given, exclude: [first] })).toEqual([second, ...rest])
    expect(await chosen({ ...given, exclude: [first, second] })).toEqual(rest)
    const { kind, code } = await refusal({ ...given, exclude: ['a1', 'a2', 'b1', 'b2'] })
    expect({ kind, code }).toEqual({ kind: 'subnet', code: 'InsufficientFreeAddressesInSubnet' })
  })

  it('stays in the failure domain however full that is', async () => {
    const { kind } = await refusal({ ...inCluster, failureDomain: 'us-east-1b', exclude: ['subnet-b'] })
    expect(kind).toBe('subnet')
  })

  it('is in a zone that offers the type', async () => {
    const lookups = new FakeLookups()
    lookups.zones = ['us-east-1b', 'us-east-1c']
    for (const name of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']) {
      expect(await chosen({ ...inCluster, name }, lookups)).toEqual(['subnet-b'])
    }
  })

  it('is any where EC2 does not say who offers the type, or nobody does: it says so itself then', async () => {
    for (const zones of [[], ['us-east-1f']]) {
      const lookups = new FakeLookups()
      lookups.zones = zones
      expect((await chosen(inCluster, lookups)).toSorted()).toEqual(['subnet-a', 'subnet-b'])
    }
  })

  it('missing is an invalid configuration that names the field', async () => {
    const { kind, message } = await refusal({ ...inCluster, cluster: { network: {} } })
    expect(kind).toBe('invalid')
    expect(message).toBe(
      'spec.network.subnets of the AWSCluster: it is empty; add a subnet, or set spec.subnet of the AWSMachine.',
    )
  })
})

describe('where an attempt has asked before', () => {
  const at = { subnet: 'subnet-b', zone: 'us-east-1b' }
  const anew = inCluster

  it('is asked again, whatever the specs say by now; what they allow besides comes after it', async () => {
    expect(await chosen({ ...anew, at, failureDomain: 'us-east-1a' })).toEqual(['subnet-b', 'subnet-a'])
    expect(await chosen({ ...anew, at, failureDomain: 'us-east-1a', exclude: ['subnet-a'] })).toEqual(['subnet-b'])
  })

  it('is asked again when the specs no longer know that place, or any', async () => {
    expect(await chosen({ ...anew, at, cluster: { network: { subnets: [] } } })).toEqual(['subnet-b'])
  })
})
