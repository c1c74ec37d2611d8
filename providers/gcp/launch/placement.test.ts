import { describe, expect, it } from 'vitest'
import { FakeLookups, scope, wantedWith, type Given } from '../../../test/support/clouds/gcp-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { zoneFor } from './placement.ts'
import { isZoneOf } from '../wire/documents.ts'
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

  it.each(['', 'europe-west1-', 'europe-west1-B', 'europe-west1-b/instances', 'europe-west1-b?x', 'europe-west1-b-c'])(
    'is no text that no zone of GCE is called, wherever it stands: "%s"',
    async (zone) => {
      const field = (name: string) => ({ kind: 'invalid', message: expect.stringContaining(name) as string })
      const lookups = new FakeLookups()
      const at = { subnet: 'nodes', zone }
      await expect(zoneOf({ failureDomain: zone }, lookups)).rejects.toMatchObject(field('spec.failureDomain of'))
      await expect(zoneOf({ at }, lookups)).rejects.toMatchObject(field('spot.cluster.x-k8s.io/attempt'))
      for (const failureDomains of [[zone], ['europe-west1-b', zone]]) {
        const wanted = { cluster: { failureDomains } }
        await expect(zoneOf(wanted, lookups)).rejects.toMatchObject(field('spec.failureDomains of the GCPCluster'))
      }
      expect(lookups.asked).toEqual([])
    },
  )

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
      message: `GCE shows no zone of ${scope.region} in project my-project; correct spec.region of the GCPCluster.`,
    })
  })
})

it('is where it was asked for before, whatever the specs say by now, and nobody is asked', async () => {
  const lookups = new FakeLookups()
  const at = { subnet: 'nodes', zone: 'europe-west1-c' }
  expect(await zoneOf({ at, failureDomain: 'europe-west1-d' }, lookups)).toBe('europe-west1-c')
  expect(await zoneOf({ at, cluster: { failureDomains: undefined } }, lookups)).toBe('europe-west1-c')
  expect(lookups.asked).toEqual([])
})

/** Every region of GCE with the letters of its zones; `ai1a` and the like are its zones for AI. */
const everyRegion: Readonly<Record<string, string>> = {
  'africa-south1': 'a b c',
  'asia-east1': 'a b c',
  'asia-east2': 'a b c',
  'asia-northeast1': 'a b c',
  'asia-northeast2': 'a b c',
  'asia-northeast3': 'a b c',
  'asia-south1': 'a b c',
  'asia-south2': 'a b c',
  'asia-southeast1': 'a b c',
  'asia-southeast2': 'a b c',
  'asia-southeast3': 'a b c',
  'australia-southeast1': 'a b c',
  'australia-southeast2': 'a b c',
  'europe-central2': 'a b c',
  'europe-north1': 'a b c',
  'europe-north2': 'a b c',
  'europe-southwest1': 'a b c',
  'europe-west1': 'b c d',
  'europe-west2': 'a b c',
  'europe-west3': 'a b c',
  'europe-west4': 'a b c ai1a',
  'europe-west6': 'a b c',
  'europe-west8': 'a b c',
  'europe-west9': 'a b c',
  'europe-west10': 'a b c',
  'europe-west12': 'a b c',
  'me-central1': 'a b c',
  'me-central2': 'a b c',
  'me-west1': 'a b c',
  'northamerica-northeast1': 'a b c',
  'northamerica-northeast2': 'a b c',
  'northamerica-south1': 'a b c',
  'southamerica-east1': 'a b c',
  'southamerica-west1': 'a b c',
  'us-central1': 'a b c f ai1a',
  'us-east1': 'b c d',
  'us-east4': 'a b c',
  'us-east5': 'a b c',
  'us-east7': 'ai1b',
  'us-south1': 'a b c ai1b',
  'us-west1': 'a b c',
  'us-west2': 'a b c',
  'us-west3': 'a b c',
  'us-west4': 'a b c',
}

it('may be any zone that GCE has', () => {
  const zones = Object.entries(everyRegion).flatMap(([region, names]) =>
    names.split(' ').map((name) => ({ region, zone: `${region}-${name}` })),
  )
  expect(zones.filter(({ region, zone }) => !isZoneOf(region, zone))).toEqual([])
  expect(zones.length).toBeGreaterThan(125)
})
