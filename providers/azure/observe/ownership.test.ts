import { describe, expect, it } from 'vitest'
import { scope } from '../../../test/support/clouds/azure-specs.ts'
import type { Launch } from '../../instances.ts'
import { tagOf } from '../../shared/ownership.ts'
import { isAnothers, readBought, readTag, tagsFor, type Bought } from './ownership.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const launch: Launch = { ...ours, scope, request: {}, userData: new Uint8Array(), clusterName: 'c1' }
const bought: Bought = { capacityType: 'Spot', instanceType: 'Standard_D2s_v5', zone: '2' }

describe('tags', () => {
  it('say whose it is and what was bought, and are read again', () => {
    const tags = tagsFor(launch, bought, {})
    expect(readTag(tags)).toEqual(tagOf(ours))
    expect(readBought(tags)).toEqual(bought)
    expect(readBought(tagsFor(launch, { ...bought, zone: '' }, {}))).toEqual({ ...bought, zone: '' })
    expect(tags).toMatchObject({ Name: 'm1', 'kubernetes.io_cluster_c1': 'owned' })
  })

  it('have names that Azure takes, and room for 20 of the machine and 20 of the cluster', () => {
    const tags = tagsFor(launch, bought, {})
    expect(Object.keys(tags).filter((key) => /[<>%&\\?/]/.test(key))).toEqual([])
    expect(Object.keys(tags).length).toBeLessThanOrEqual(10)
  })

  it('of ours win, and a user’s that differs in case only is not sent beside', () => {
    const additional = {
      'SPOT.cluster.x-k8s.io_owner-id': 'x',
      'Kubernetes.io_cluster_c1': 'x',
      name: 'mine',
      team: 'a',
    }
    const tags = tagsFor(launch, bought, additional)
    expect(readTag(tags)).toEqual(tagOf(ours))
    const keys = Object.keys(tags).map((key) => key.toLowerCase())
    expect(keys).toEqual([...new Set(keys)])
    expect(tags).toMatchObject({ Name: 'mine', team: 'a', 'kubernetes.io_cluster_c1': 'owned' })
  })
})

describe('what is another’s', () => {
  const tags = tagsFor(launch, bought, {})

  it.each([{ owner: 'ownertwo02' }, { machine: 'default/m2' }, { token: 'tokennumber2' }])('%j', (over) => {
    expect(isAnothers(tags, tagOf({ ...ours, ...over }))).toBe(true)
    expect(isAnothers(tags, tagOf(ours))).toBe(false)
  })

  it('is what has tags, and not ours; where none are shown nothing is said', () => {
    expect(isAnothers({ team: 'a' }, tagOf(ours))).toBe(true)
    expect(isAnothers(undefined, tagOf(ours))).toBe(false)
  })

  it('cannot be read as bought by us', () => {
    expect(readBought({ 'spot.cluster.x-k8s.io_capacity-type': 'Free' })).toBeUndefined()
    expect(readBought(undefined)).toBeUndefined()
  })
})
