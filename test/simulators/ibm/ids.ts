import { randomUUID } from 'node:crypto'
import { badField } from './http/errors.ts'
import type { Identity } from '../kit/http/schema.ts'

export const byId = { kind: 'identity', by: ['id'] } as const
export const byReference = { kind: 'identity', by: ['id', 'crn', 'href'] } as const
export const byName = { kind: 'identity', by: ['name', 'href'] } as const

/** A kind of resource: its place in the address of the API, and its name in a CRN. */
export interface Kind {
  readonly path: string
  readonly type: string
}

function kind(path: string, type: string): Kind {
  return { path, type }
}

export const kinds = {
  dedicatedHost: kind('dedicated_hosts', 'dedicated-host'),
  dedicatedHostGroup: kind('dedicated_host/groups', 'dedicated-host-group'),
  floatingIp: kind('floating_ips', 'floating-ip'),
  image: kind('images', 'image'),
  instance: kind('instances', 'instance'),
  key: kind('keys', 'key'),
  placementGroup: kind('placement_groups', 'placement-group'),
  profile: kind('instance/profiles', 'instance-profile'),
  reservation: kind('reservations', 'reservation'),
  securityGroup: kind('security_groups', 'security-group'),
  subnet: kind('subnets', 'subnet'),
  virtualNetworkInterface: kind('virtual_network_interfaces', 'virtual-network-interface'),
  volume: kind('volumes', 'volume'),
  vpc: kind('vpcs', 'vpc'),
} as const satisfies Record<string, Kind>

/** What a resource is called by. `zone`: of those that stand in one. */
export interface Resource {
  readonly id: string
  readonly name: string
  readonly zone?: { readonly name: string }
}

/** In whose account and region resources are, and where the caller found the API. */
export interface Place {
  readonly region: string
  readonly accountId: string
}

export function crnOf({ type }: Kind, { id, zone }: Resource, { region, accountId }: Place): string {
  return `crn:v1:bluemix:public:is:${zone?.name ?? region}:a/${accountId}::${type}:${id}`
}

/** The id of something new. `prefix`: of its zone or region. Those of instances have an underscore. */
export function newId(prefix: string, mark: '-' | '_' = '-'): string {
  return `${prefix}${mark}${randomUUID()}`
}

/** A name such as IBM gives to what its maker has not named. */
export function wordName(): string {
  const words = [
    'rash',
    'pebble',
    'unfunded',
    'lantern',
    'hubcap',
    'magnetism',
    'tarot',
    'sixfold',
    'gatehouse',
    'oaken',
  ]
  const digits = randomUUID().replaceAll('-', '')
  const pick = [0, 2, 4, 6].map((at) => words[Number.parseInt(digits.slice(at, at + 2), 16) % words.length])
  return [...pick, digits.slice(8, 14)].join('-')
}

/** Names of VPC: lower-case letters, digits and single hyphens inside, and not digits alone. */
export function isName(name: string): boolean {
  return (
    name.length <= 63 && /^([a-z]|[a-z][-a-z0-9]*[a-z0-9]|[0-9][-a-z0-9]*([a-z]|[-a-z][-a-z0-9]*[a-z0-9]))$/.test(name)
  )
}

interface Wanted<T extends Resource> {
  readonly kind: Kind
  readonly items: Iterable<T>
  readonly place: Place
  /** The field of the request that names it. */
  readonly field: string
}

/** What an identity means, by whichever of its properties it is named. */
export function findOne<T extends Resource>(identity: Identity, { kind, items, place, field }: Wanted<T>): T {
  const { by, value } = identity
  for (const item of items) {
    if (
      by === 'crn'
        ? crnOf(kind, item, place) === value
        : by === 'href'
          ? leadsTo(value, kind, item)
          : is(item, identity)
    )
      return item
  }
  throw badField(`${field}.${by}`, `The ${kind.type.replaceAll('-', ' ')} '${value}' could not be found`, value)
}

function is(item: Resource, { by, value }: Identity): boolean {
  return (item as unknown as Readonly<Record<string, unknown>>)[by] === value
}

/** Profiles and zones have their name in their address, all else its id. */
function leadsTo(href: string, { path }: Kind, { id, name }: Resource): boolean {
  return href.endsWith(`/v1/${path}/${id}`) || href.endsWith(`/v1/${path}/${name}`)
}
