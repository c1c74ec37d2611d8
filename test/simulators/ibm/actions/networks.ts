import type { Action } from '../http/action.ts'
import type { Account } from '../account.ts'
import { crnOf, kinds, type Resource } from '../ids.ts'
import { listing } from '../http/listing.ts'
import { reference, time, zoneReference, type Base } from '../http/write.ts'
import type { SecurityGroup, Subnet, Vpc, World } from '../world.ts'
import { group, madeAt } from './places.ts'

const acl = { path: 'network_acls', type: 'network-acl' }

/** What comes with every network and matters to nobody here. */
function standard(path: string, type: string, { id, name }: Resource, base: Base) {
  return reference({ path, type }, { id: `${id}-${type}`, name: `${name}-default` }, base)
}

const vpcs = listing<Vpc>({
  names: ['list_vpcs', 'get_vpc'],
  path: '/v1/vpcs',
  collection: 'vpcs',
  called: 'VPC',
  items: ({ world }) => world.vpcs,
  filters: { 'resource_group.id': inGroup, classic_access: () => ['false'] },
  idOf: ({ id }) => id,
  write: (vpc, { base }, { world }) => ({
    ...reference(kinds.vpc, vpc, base),
    created_at: time(madeAt),
    status: 'available',
    health_state: 'ok',
    health_reasons: [],
    classic_access: false,
    cse_source_ips: [],
    default_network_acl: standard(acl.path, acl.type, vpc, base),
    default_routing_table: standard(`vpcs/${vpc.id}/routing_tables`, 'routing-table', vpc, base),
    default_security_group: groupReference(vpc, world, base),
    dns: {
      enable_hub: false,
      resolution_binding_count: 0,
      resolver: { type: 'system', servers: [], configuration: 'default' },
    },
    public_address_ranges: [],
    ...group(world),
  }),
})

function groupReference({ securityGroup }: Vpc, world: World, base: Base) {
  const found = world.securityGroups.find(({ id }) => id === securityGroup)
  return found && reference(kinds.securityGroup, found, base)
}

function inGroup(_: unknown, { world }: Account) {
  return [world.resourceGroups[0]?.id]
}

const inVpc = {
  'vpc.id': ({ vpc }: { vpc: string }) => [vpc],
  'vpc.name': ({ vpc }: { vpc: string }, { world }: Account) => [world.vpcs.find(({ id }) => id === vpc)?.name],
  'vpc.crn': ({ vpc }: { vpc: string }, { world }: Account) =>
    world.vpcs.filter(({ id }) => id === vpc).map((one) => crnOf(kinds.vpc, one, world)),
}

export function vpcReference(id: string, world: World, base: Base) {
  const found = world.vpcs.find((one) => one.id === id)
  if (!found) throw new Error(`VPC ${id} is not of this world`)
  return reference(kinds.vpc, found, base)
}

const subnets = listing<Subnet>({
  names: ['list_subnets', 'get_subnet'],
  path: '/v1/subnets',
  collection: 'subnets',
  called: 'Subnet',
  items: ({ world }) => world.subnets,
  filters: {
    'resource_group.id': inGroup,
    'zone.name': ({ zone }) => [zone.name],
    ...inVpc,
    'routing_table.id': () => [],
    'routing_table.name': () => [],
  },
  idOf: ({ id }) => id,
  write: (subnet, { base }, { world, networks }) => ({
    ...reference(kinds.subnet, subnet, base),
    created_at: time(madeAt),
    status: 'available',
    ip_version: 'ipv4',
    ipv4_cidr_block: subnet.cidr,
    available_ipv4_address_count: networks.of(subnet).free,
    total_ipv4_address_count: 2 ** (32 - Number(subnet.cidr.split('/')[1])),
    network_acl: standard(acl.path, acl.type, subnet, base),
    routing_table: standard(`vpcs/${subnet.vpc}/routing_tables`, 'routing-table', subnet, base),
    vpc: vpcReference(subnet.vpc, world, base),
    zone: zoneReference(subnet.zone, base),
    ...group(world),
  }),
})

const securityGroups = listing<SecurityGroup>({
  names: ['list_security_groups', 'get_security_group'],
  path: '/v1/security_groups',
  collection: 'security_groups',
  called: 'Security group',
  items: ({ world }) => world.securityGroups,
  filters: { 'resource_group.id': inGroup, ...inVpc },
  idOf: ({ id }) => id,
  write: (one, { base }, { world }) => ({
    ...reference(kinds.securityGroup, one, base),
    created_at: time(madeAt),
    rules: [],
    targets: [],
    vpc: vpcReference(one.vpc, world, base),
    ...group(world),
  }),
})

export const networkActions: readonly Action[] = [...vpcs, ...subnets, ...securityGroups]
