import { idOf, types, type ResourceType } from './ids.ts'

/** What a subscription has before the first call: nothing of it changes while the simulator runs. */
export interface World {
  readonly tenant: string
  readonly subscription: string
  readonly location: string
  readonly zones: readonly string[]
  /** The first is for the cluster. */
  readonly resourceGroups: readonly string[]
  /** How many addresses of each subnet are passed over at first. */
  readonly skippedAddresses: number
  readonly networks: readonly Network[]
  readonly securityGroups: readonly string[]
  readonly identities: readonly string[]
  readonly images: readonly Image[]
}

export interface Network {
  readonly id: string
  readonly name: string
  readonly resourceGroup: string
  readonly cidr: string
  readonly subnets: readonly Subnet[]
}

export interface Subnet {
  readonly id: string
  readonly name: string
  readonly network: string
  readonly cidr: string
}

export interface Image {
  readonly kind: 'gallery' | 'community' | 'managed' | 'marketplace'
  /** The ARM id, the community id, or `publisher:offer:sku:version`. */
  readonly id: string
  readonly architecture: 'x64' | 'Arm64'
  readonly os: 'Linux' | 'Windows'
  readonly sizeGB: number
}

export interface WorldOptions {
  readonly location?: string
  /** The second number of the cluster network's addresses, `10.<network>.0.0/16`. */
  readonly network?: number
  readonly skippedAddresses?: number
}

export const tenant = '72f988bf-0000-4000-8000-000000000001'
export const subscription = '5be0c1a0-0000-4000-8000-000000000001'

/** Not all in small letters: what compares names must not mind. */
export const resourceGroup = 'Spot-Workers'
const otherGroup = 'Somebody-Elses'

/** One resource group with a network made for a cluster, and one of somebody else. Names are the same every time. */
export function standardWorld({ location = 'westus2', network = 0, skippedAddresses = 0 }: WorldOptions = {}): World {
  return {
    tenant,
    subscription,
    location,
    zones: ['1', '2', '3'],
    resourceGroups: [resourceGroup, otherGroup],
    skippedAddresses,
    networks: [
      networkOf('spot', `10.${network}.0.0/16`, [
        ['nodes', `10.${network}.0.0/17`],
        ['tiny', `10.${network}.128.0/29`],
      ]),
    ],
    securityGroups: [own(types.securityGroup, 'spot-nodes')],
    identities: [own(types.identity, 'spot-nodes')],
    images: images(),
  }
}

function own(type: ResourceType, name: string): string {
  return idOf({ subscription, resourceGroup, type, name })
}

function networkOf(name: string, cidr: string, subnets: readonly (readonly [name: string, cidr: string])[]): Network {
  const id = own(types.network, name)
  return {
    id,
    name,
    resourceGroup,
    cidr,
    subnets: subnets.map(([subnet, range]) => ({
      id: `${id}/subnets/${subnet}`,
      name: subnet,
      network: name,
      cidr: range,
    })),
  }
}

const capi = '/CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images'

function images(): Image[] {
  const linux = { os: 'Linux', sizeGB: 30 } as const
  const gallery = (definition: string) => `${own(types.gallery, 'spot')}/images/${definition}/versions`
  return [
    { ...linux, kind: 'gallery', id: `${gallery('ubuntu-2404')}/1.36.3`, architecture: 'x64' },
    { ...linux, kind: 'gallery', id: `${gallery('ubuntu-2404-arm64')}/1.36.3`, architecture: 'Arm64' },
    { ...linux, kind: 'community', id: `${capi}/capi-ubun2-2404/Versions/1.36.3`, architecture: 'x64' },
    { ...linux, kind: 'managed', id: own(types.image, 'ubuntu-2404'), architecture: 'x64' },
    { ...linux, kind: 'marketplace', id: 'Canonical:ubuntu-24_04-lts:server:24.04.202601010', architecture: 'x64' },
    {
      ...linux,
      kind: 'marketplace',
      id: 'Canonical:ubuntu-24_04-lts:server-arm64:24.04.202601010',
      architecture: 'Arm64',
    },
  ]
}
