import type { Action } from '../http/action.ts'
import { notFound } from '../http/errors.ts'
import { kinds } from '../ids.ts'
import { listing } from '../http/listing.ts'
import { reference, resourceGroupReference, time, zoneReference, type Base } from '../http/write.ts'
import type { DedicatedHost, Key, PlacementGroup, World, Zone } from '../world.ts'

/** When all that was there before the first call was made. */
export const madeAt = Date.UTC(2026, 0, 1)

const regions = listing<World>({
  names: ['list_regions', 'get_region'],
  path: '/v1/regions',
  collection: 'regions',
  called: 'Region',
  items: ({ world }) => [world],
  isPaged: () => false,
  idOf: ({ region }) => region,
  write: ({ region }, { base }) => ({
    ...regionReference(region, base),
    endpoint: `https://${region}.iaas.cloud.ibm.com`,
    status: 'available',
  }),
})

const zones = listing<Zone>({
  names: ['list_region_zones', 'get_region_zone'],
  path: '/v1/regions/{region}/zones',
  collection: 'zones',
  called: 'Zone',
  items({ world }, { path: { region = '' } }) {
    if (region !== world.region) throw notFound('Region', region)
    return world.zones
  },
  isPaged: () => false,
  idOf: ({ name }) => name,
  write: ({ name, status }, { base }) => ({
    ...zoneReference({ name }, base),
    region: regionReference(base.region, base),
    status,
    data_center: `dal1${name.slice(-1)}`,
    universal_name: `${base.region}-dal1${name.slice(-1)}-a`,
  }),
})

function regionReference(name: string, { url }: Base) {
  return { href: `${url}/regions/${name}`, name }
}

const keys = listing<Key>({
  names: ['list_keys', 'get_key'],
  path: '/v1/keys',
  collection: 'keys',
  called: 'Key',
  items: ({ world }) => world.keys,
  idOf: ({ id }) => id,
  write: (key, { base }, { world }) => ({
    ...reference(kinds.key, key, base),
    created_at: time(madeAt),
    fingerprint: key.fingerprint,
    length: 256,
    public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA0000000000000000000000000000000000000000',
    type: 'ed25519',
    ...group(world),
  }),
})

const placementGroups = listing<PlacementGroup>({
  names: ['list_placement_groups', 'get_placement_group'],
  path: '/v1/placement_groups',
  collection: 'placement_groups',
  called: 'Placement group',
  items: ({ world }) => world.placementGroups,
  idOf: ({ id }) => id,
  write: (one, { base }, { world }) => ({
    ...reference(kinds.placementGroup, one, base),
    created_at: time(madeAt),
    lifecycle_state: 'stable',
    strategy: one.strategy,
    ...group(world),
  }),
})

/** Of dedicated hosts only what a request can name; they are here to be refused. */
const dedicatedHosts = listing<DedicatedHost>({
  names: ['list_dedicated_hosts'],
  path: '/v1/dedicated_hosts',
  collection: 'dedicated_hosts',
  called: 'Dedicated host',
  items: ({ world }) => world.dedicatedHosts,
  filters: { 'zone.name': ({ zone }) => [zone.name], name: ({ name }) => [name] },
  idOf: ({ id }) => id,
  write: (host, { base }) => ({ ...reference(kinds.dedicatedHost, host, base), zone: zoneReference(host.zone, base) }),
})

export function group({ resourceGroups: [first] }: World) {
  return first ? { resource_group: resourceGroupReference(first) } : {}
}

export const placeActions: readonly Action[] = [...regions, ...zones, ...keys, ...placementGroups, ...dedicatedHosts]
