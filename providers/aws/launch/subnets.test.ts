import { describe, expect, it } from 'vitest'
import { FakeLookups, wantedWith } from '../../../test/support/clouds/aws-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { AWSClusterSpec } from '../../../api/generated/aws-cluster.ts'
import { clusterSubnets } from './subnets.ts'
import { failureDomainsOf, readWanted } from './wanted.ts'

type Subnets = NonNullable<NonNullable<AWSClusterSpec['network']>['subnets']>

async function known(subnets: Subnets, lookups = new FakeLookups()) {
  const wanted = readWanted(wantedWith({ cluster: { network: { vpc: { id: 'vpc-1' }, subnets } } }))
  return clusterSubnets(wanted, lookups, quietCtx())
}

describe('the subnets of the cluster', () => {
  it('are as the cluster says; all those of which it says no zone are asked for at once', async () => {
    const lookups = new FakeLookups()
    lookups.subnetsFor = () => [
      { id: 's2', zone: 'b', isPublic: true },
      { id: 's3', zone: 'c', isPublic: true },
    ]
    const subnets = [{ id: 's1', availabilityZone: 'a' }, { id: 's2' }, { id: 's3', isPublic: false }, { id: 'gone' }]
    expect(await known(subnets, lookups)).toEqual([
      { id: 's1', zone: 'a', isPublic: false },
      { id: 's2', zone: 'b', isPublic: true },
      { id: 's3', zone: 'c', isPublic: false },
    ])
    expect(lookups.asked).toEqual(['subnets subnet-id=s2|s3|gone'])
  })

  it('are found by filters, in the VPC, and one that is listed and found is as it is listed', async () => {
    const lookups = new FakeLookups()
    lookups.subnetsFor = () => ['s1', 's2'].map((id) => ({ id, zone: 'a', isPublic: false }))
    const filters = [{ name: 'tag:role', values: ['node'] }]
    const subnets = [{ id: 's1', availabilityZone: 'a', isPublic: true }, { filters }]
    expect(await known(subnets, lookups)).toEqual([
      { id: 's1', zone: 'a', isPublic: true },
      { id: 's2', zone: 'a', isPublic: false },
    ])
    expect(lookups.asked).toEqual(['subnets vpc-id=vpc-1 tag:role=node state=available'])
  })

  it('none of which is there are an invalid configuration', async () => {
    await expect(known([{ id: 'gone' }])).rejects.toMatchObject({
      kind: 'invalid',
      message: 'EC2 shows none of them in us-east-1; correct it.',
    })
  })
})

describe('failure domains', () => {
  it('are the zones that are said, each once and in order', () => {
    const subnets = [
      { id: 's1', availabilityZone: 'b' },
      { id: 's2', availabilityZone: 'a' },
      { id: 's3', availabilityZone: 'b' },
      { id: 's4' },
      { filters: [] },
    ]
    expect(failureDomainsOf({ region: 'r', network: { subnets } })).toEqual([
      { name: 'a', controlPlane: false },
      { name: 'b', controlPlane: false },
    ])
  })

  it('are none where no subnet is said', () => {
    expect(failureDomainsOf({ region: 'r' })).toEqual([])
  })
})
