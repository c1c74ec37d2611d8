import { describe, expect, it } from 'vitest'
import { FakeLookups, scope, wantedWith, type Given } from '../../test/gcp-specs.ts'
import { quietCtx } from '../../test/quiet-ctx.ts'
import { zoneFor } from './choose-zone.ts'
import { readWanted } from './wanted.ts'

const zones = ['europe-west1-b', 'europe-west1-c', 'europe-west1-d']
const zoneOf = (given: Given, lookups = new FakeLookups()) =>
  zoneFor(readWanted(wantedWith(given)), lookups, quietCtx())
const names = Array.from({ length: 300 }, (_, n) => `m${n}`)

describe('the zone', () => {
  it('is the failure domain of the Machine; nothing is looked up for it', async () => {
    const lookups = new FakeLookups()
    expect(await zoneOf({ failureDomain: 'europe-west1-d' }, lookups)).toBe('europe-west1-d')
    expect(lookups.asked).toEqual([])
  })

  it('has to be in the region', async () => {
    await expect(zoneOf({ failureDomain: 'europe-west4-a' })).rejects.toMatchObject({
      kind: 'invalid',
      message:
        'spec.failureDomain of the Machine is europe-west4-a, which is not in spec.region of the GCPCluster (europe-west1); correct one.',
    })
  })

  it('is the only one of the cluster; nothing is looked up for it', async () => {
    const lookups = new FakeLookups()
    expect(await zoneOf({ cluster: { failureDomains: ['europe-west1-c'] } }, lookups)).toBe('europe-west1-c')
    expect(lookups.asked).toEqual([])
  })

  it('is one of the cluster’s that offers the type, spread evenly', async () => {
    const lookups = new FakeLookups()
    lookups.offering = ['europe-west1-b', 'europe-west1-d', 'europe-west4-a']
    const chosen = await Promise.all(names.map((name) => zoneOf({ name, cluster: { failureDomains: zones } }, lookups)))
    const counts = Object.values(Object.groupBy(chosen, (zone) => zone)).map((all) => all?.length ?? 0)
    expect(Object.keys(Object.groupBy(chosen, (zone) => zone)).toSorted()).toEqual(['europe-west1-b', 'europe-west1-d'])
    expect(Math.min(...counts)).toBeGreaterThan(110)
  })

  it('is one of the cluster’s where GCE does not say which offer the type', async () => {
    expect(zones).toContain(await zoneOf({ cluster: { failureDomains: zones } }))
  })

  it('is one of the region’s where the cluster names none', async () => {
    const lookups = new FakeLookups()
    lookups.offering = ['europe-west1-d']
    expect(await zoneOf({ cluster: { failureDomains: undefined } }, lookups)).toBe('europe-west1-d')
    lookups.offering = []
    lookups.all = zones
    expect(zones).toContain(await zoneOf({ cluster: { failureDomains: undefined } }, lookups))
    expect(lookups.asked).toEqual(['offering e2-standard-4', 'offering e2-standard-4', 'zones'])
  })

  it('is none in a region that GCE does not know', async () => {
    await expect(zoneOf({ cluster: { failureDomains: undefined } })).rejects.toMatchObject({
      kind: 'invalid',
      message: `GCE shows us no zone of ${scope.region} in project my-project; correct spec.region of the GCPCluster.`,
    })
  })
})

it('is where it was asked for before, whatever the specs say by now, and nobody is asked', async () => {
  const lookups = new FakeLookups()
  const at = { place: 'nodes', zone: 'europe-west1-c' }
  expect(await zoneOf({ at, failureDomain: 'europe-west1-d' }, lookups)).toBe('europe-west1-c')
  expect(await zoneOf({ at, cluster: { failureDomains: undefined } }, lookups)).toBe('europe-west1-c')
  expect(lookups.asked).toEqual([])
})
