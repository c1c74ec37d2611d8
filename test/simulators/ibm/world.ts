import type { InstanceProfile } from './supply/instance-profiles.ts'
import type { Place, Resource } from './ids.ts'

/** What an account has before the first call: nothing of it changes while the simulator runs. */
export interface World extends Place {
  /** What the controller of nodes in the cluster was configured with, for instances that do not say it themselves. */
  readonly clusterName: string
  readonly apikey: string
  /** The beginning of the ids of what stands in no zone. */
  readonly prefix: string
  /** How many addresses of each subnet are passed over at first. */
  readonly skippedAddresses: number
  readonly zones: readonly Zone[]
  readonly resourceGroups: readonly Resource[]
  readonly vpcs: readonly Vpc[]
  readonly subnets: readonly Subnet[]
  readonly securityGroups: readonly SecurityGroup[]
  readonly images: readonly Image[]
  readonly keys: readonly Key[]
  readonly placementGroups: readonly PlacementGroup[]
  readonly dedicatedHosts: readonly DedicatedHost[]
  readonly dedicatedHostGroups: readonly DedicatedHost[]
}

export interface Zone extends Resource {
  readonly status: 'available' | 'impaired' | 'unavailable'
  /** The beginning of the ids of what stands in it. */
  readonly prefix: string
}

export interface Vpc extends Resource {
  /** Of interfaces that name none. */
  readonly securityGroup: string
}

export interface Subnet extends Resource {
  readonly vpc: string
  readonly zone: Zone
  readonly cidr: string
}

export interface SecurityGroup extends Resource {
  readonly vpc: string
}

export interface Image extends Resource {
  readonly visibility: 'public' | 'private'
  readonly status: 'available' | 'deprecated' | 'obsolete' | 'pending' | 'partially_available' | 'unusable'
  readonly architecture: InstanceProfile['architecture']
  readonly created: string
  /** Of the volumes that are made of it, at least. */
  readonly sizeGB: number
  /** Where it is; left out: in all zones. */
  readonly zones?: readonly string[]
}

export interface Key extends Resource {
  readonly fingerprint: string
}

export interface PlacementGroup extends Resource {
  readonly strategy: 'host_spread' | 'power_spread'
}

export interface DedicatedHost extends Resource {
  readonly zone: Zone
}

export interface WorldOptions {
  readonly region?: string
  /** The second number of the network's addresses, `10.<network>.0.0/16`. */
  readonly network?: number
  readonly skippedAddresses?: number
  readonly clusterName?: string
}

/**
 * One network made for a cluster, with a subnet in each of three zones, beside another one that is not; images for both
 * architectures, one of them public and private under one name. The ids are the same every time, so that documents can
 * name them.
 */
export function standardWorld(options: WorldOptions = {}): World {
  const { region = 'us-south', network = 240, skippedAddresses = 0, clusterName = 'cluster' } = options
  const zones = ['0717', '0727', '0737'].map((prefix, at) => zone(`${region}-${at + 1}`, prefix))
  const [ours, other] = [
    { id: fixed('r006', 1), name: 'spot', securityGroup: fixed('r006', 0x33) },
    { id: fixed('r006', 2), name: 'other', securityGroup: fixed('r006', 0x34) },
  ]
  return {
    region,
    accountId: 'f00dcafe0123456789abcdef01234567',
    clusterName,
    apikey: 'simulated-apikey-of-nobody',
    prefix: 'r006',
    skippedAddresses,
    zones,
    resourceGroups: [
      { id: '0123456789abcdef0123456789abcd01', name: 'spot' },
      { id: '0123456789abcdef0123456789abcd02', name: 'Default' },
    ],
    vpcs: [ours, other],
    subnets: [
      ...zones.map((zone, at) =>
        subnet(`spot-${zone.name}`, zone, { vpc: ours.id, cidr: `10.${network}.${at * 64}.0/18` }),
      ),
      ...zones.map((zone, at) => subnet(`other-${zone.name}`, zone, { vpc: other.id, cidr: `172.16.${at * 16}.0/20` })),
    ],
    securityGroups: [
      { id: fixed('r006', 0x31), name: 'spot-nodes', vpc: ours.id },
      { id: fixed('r006', 0x32), name: 'spot-storage', vpc: ours.id },
      { id: ours.securityGroup, name: 'spot-default', vpc: ours.id },
      { id: other.securityGroup, name: 'other-default', vpc: other.id },
    ],
    images: images(zones),
    keys: [{ id: fixed('r006', 0x51), name: 'spot', fingerprint: 'SHA256:of-a-key-that-nobody-has' }],
    placementGroups: [{ id: fixed('r006', 0x61), name: 'spot-apart', strategy: 'host_spread' }],
    dedicatedHosts: zones.slice(0, 1).map((zone) => ({ id: fixed(zone.prefix, 0x71), name: 'spot-host', zone })),
    dedicatedHostGroups: zones.slice(0, 1).map((zone) => ({ id: fixed(zone.prefix, 0x72), name: 'spot-hosts', zone })),
  }
}

/** Another account: it has networks, images and keys of its own. */
export function elsewhere(world: World): World {
  const text = JSON.stringify(world).replaceAll('5b07c1a0', '5b07c1a1').replaceAll(world.accountId, otherAccountId)
  return JSON.parse(text) as World
}

const otherAccountId = 'facade000123456789abcdef01234567'

function zone(name: string, prefix: string): Zone {
  return { id: name, name, prefix, status: 'available' }
}

/** An id that is the same every time. */
function fixed(prefix: string, number: number): string {
  return `${prefix}-5b07c1a0-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}

function subnet(name: string, zone: Zone, over: Pick<Subnet, 'vpc' | 'cidr'>): Subnet {
  return { id: fixed(zone.prefix, name.startsWith('spot') ? 0x21 : 0x22), name, zone, ...over }
}

const kubernetesImage = 'capibm-ubuntu-24-04-kube-v1-36-3'

function images([first]: readonly Zone[]): readonly Image[] {
  const image = (number: number, name: string, over: Partial<Image> = {}): Image => ({
    id: fixed('r006', number),
    name,
    visibility: 'private',
    status: 'available',
    architecture: 'amd64',
    created: '2026-01-01T00:00:00Z',
    sizeGB: 10,
    ...over,
  })
  return [
    image(0x41, kubernetesImage),
    image(0x42, kubernetesImage, { visibility: 'public', created: '2025-12-01T00:00:00Z', sizeGB: 100 }),
    image(0x43, 'capibm-ubuntu-24-04-kube-v1-36-3-s390x', { architecture: 's390x' }),
    image(0x44, 'ibm-ubuntu-24-04-3-minimal-amd64-1', { visibility: 'public', sizeGB: 100 }),
    image(0x45, 'ibm-ubuntu-20-04-6-minimal-amd64-7', { visibility: 'public', status: 'deprecated', sizeGB: 100 }),
    image(0x46, 'arriving', { status: 'partially_available', zones: first ? [first.name] : [] }),
    image(0x47, 'obsolete', { status: 'obsolete' }),
    image(0x48, 'importing', { status: 'pending' }),
  ]
}
