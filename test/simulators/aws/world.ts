/** What an account has before the first call: nothing of it changes while the simulator runs. */
export interface World {
  readonly region: string
  readonly accountId: string
  /** How many addresses of each subnet are passed over at first. */
  readonly skippedAddresses: number
  readonly zones: readonly Zone[]
  readonly vpcs: readonly Vpc[]
  readonly subnets: readonly Subnet[]
  readonly securityGroups: readonly SecurityGroup[]
  readonly images: readonly Image[]
  readonly keyPairs: readonly KeyPair[]
  readonly instanceProfiles: readonly InstanceProfile[]
  readonly placementGroups: readonly PlacementGroup[]
}

export interface Tag {
  readonly key: string
  readonly value: string
}

export interface Zone {
  readonly name: string
  readonly id: string
}

export interface Vpc {
  readonly id: string
  readonly cidr: string
  readonly isDefault: boolean
  readonly tags: readonly Tag[]
}

export interface Subnet {
  readonly id: string
  readonly vpc: string
  readonly zone: Zone
  readonly cidr: string
  /** What instances are launched into that name no subnet. */
  readonly isDefault: boolean
  /** Instances get a public address unless they say otherwise. */
  readonly isPublic: boolean
  /** It has an IPv6 CIDR block. */
  readonly hasIPv6?: boolean
  readonly tags: readonly Tag[]
}

export interface SecurityGroup {
  readonly id: string
  readonly name: string
  readonly vpc: string
  readonly description: string
  readonly tags: readonly Tag[]
}

export interface Image {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly architecture: 'x86_64' | 'arm64'
  readonly created: string
  readonly rootDevice: string
  /** The root and those beside it. */
  readonly volumes: readonly ImageVolume[]
  /** From then on it is found by its id, or by whoever asks for deprecated images too. */
  readonly deprecated?: string
}

/** What the image says of a volume, unless a launch says otherwise. */
export interface ImageVolume {
  readonly device: string
  readonly snapshot: string
  readonly snapshotGiB: number
  readonly type: VolumeType
  readonly deleteOnTermination: boolean
}

export type VolumeType = 'standard' | 'io1' | 'io2' | 'gp2' | 'gp3' | 'sc1' | 'st1'

export interface KeyPair {
  readonly id: string
  readonly name: string
  readonly fingerprint: string
}

export interface InstanceProfile {
  readonly id: string
  readonly name: string
  readonly arn: string
}

export interface PlacementGroup {
  readonly id: string
  readonly name: string
  readonly strategy: 'cluster' | 'partition' | 'spread'
  /** Of the strategy `partition`. */
  readonly partitions?: number
}

const accountId = '123456789012'
const otherAccountId = '210987654321'

/** Who publishes the images of Cluster API for AWS. */
const imageOwner = '819546954734'

export interface WorldOptions {
  readonly region?: string
  /** The second number of the cluster network's addresses, `10.<network>.0.0/16`. */
  readonly network?: number
  readonly skippedAddresses?: number
}

/**
 * One network made for a cluster, with a subnet in each of three zones, beside the default network that accounts come
 * with; an image for each architecture. The ids are the same every time, so that documents can name them.
 */
export function standardWorld({ region = 'us-east-1', network = 0, skippedAddresses = 0 }: WorldOptions = {}): World {
  const zones = ['a', 'b', 'c'].map((letter, at) => ({
    name: `${region}${letter}`,
    id: `${shortRegion(region)}-az${at + 1}`,
  }))
  const ours = { id: 'vpc-0c1a0000000000001', cidr: `10.${network}.0.0/16`, isDefault: false, tags: named('spot') }
  const standard = { id: 'vpc-0d0f0000000000001', cidr: '172.31.0.0/16', isDefault: true, tags: [] }
  return {
    region,
    accountId,
    skippedAddresses,
    zones,
    vpcs: [ours, standard],
    subnets: [
      ...zones.map((zone, at) => ({
        id: `subnet-0c1a00000000000${at + 1}0`,
        vpc: ours.id,
        zone,
        cidr: `10.${network}.${at * 64}.0/18`,
        isDefault: false,
        isPublic: false,
        tags: named(`spot-${zone.name}`),
      })),
      ...zones.map((zone, at) => ({
        id: `subnet-0d0f00000000000${at + 1}0`,
        vpc: standard.id,
        zone,
        cidr: `172.31.${at * 16}.0/20`,
        hasIPv6: true,
        isDefault: true,
        isPublic: true,
        tags: [],
      })),
    ],
    securityGroups: [
      group('sg-0c1a0000000000001', 'spot-nodes', ours, 'Nodes of the cluster'),
      group('sg-0c1a0000000000002', 'spot-storage', ours, 'What reaches the storage'),
      group('sg-0c1a0000000000003', 'default', ours, 'default VPC security group'),
      group('sg-0d0f0000000000001', 'default', standard, 'default VPC security group'),
    ],
    images: [image('x86_64', 'ami-0c1a0000000000001'), image('arm64', 'ami-0c1a0000000000002')],
    keyPairs: [{ id: 'key-0c1a0000000000001', name: 'spot', fingerprint: 'SHA256-of-a-key-that-nobody-has' }],
    instanceProfiles: [
      {
        id: 'AIPASPOTNODES00000001',
        name: 'nodes.cluster-api-provider-spot',
        arn: `arn:aws:iam::${accountId}:instance-profile/nodes.cluster-api-provider-spot`,
      },
    ],
    placementGroups: [
      { id: 'pg-0c1a0000000000001', name: 'spot-together', strategy: 'cluster' },
      { id: 'pg-0c1a0000000000002', name: 'spot-racks', strategy: 'partition', partitions: 3 },
      { id: 'pg-0c1a0000000000003', name: 'spot-apart', strategy: 'spread' },
    ],
  }
}

/** Another account: it has the same public images, and networks of its own. */
export function elsewhere(world: World): World {
  const own = (text: string) => text.replaceAll(/\b(vpc|subnet|sg|key|pg)-0[cd]/g, '$1-0e')
  const text = own(JSON.stringify(world)).replaceAll(world.accountId, otherAccountId)
  return JSON.parse(text) as World
}

function named(name: string): Tag[] {
  return [{ key: 'Name', value: name }]
}

function group(id: string, name: string, vpc: Vpc, description: string): SecurityGroup {
  return { id, name, vpc: vpc.id, description, tags: [] }
}

function image(architecture: Image['architecture'], id: string): Image {
  return {
    id,
    name: `capa-ami-ubuntu-24.04-v1.36.3-1767225600-${architecture}`,
    owner: imageOwner,
    architecture,
    created: '2026-01-01T00:00:00.000Z',
    rootDevice: '/dev/sda1',
    volumes: [
      {
        device: '/dev/sda1',
        snapshot: `snap-${id.slice('ami-'.length)}`,
        snapshotGiB: 8,
        type: 'gp3',
        deleteOnTermination: true,
      },
    ],
  }
}

/** `us-east-1` is `use1` in ids of zones. */
function shortRegion(region: string): string {
  const [continent = '', direction = '', number = ''] = region.split('-')
  const compass = direction.replace(/^(north|south)(east|west)$/, (_, first: string, second: string) => {
    return `${first.charAt(0)}${second.charAt(0)}`
  })
  return `${continent}${compass === direction ? direction.charAt(0) : compass}${number}`
}
