import { isAddress } from '../../kit/supply/addresses.ts'
import type { Account } from '../account.ts'
import { notOneOf } from '../http/decode.ts'
import { badField, IbmError, notSimulated } from '../http/errors.ts'
import type { Identity } from '../../kit/http/schema.ts'
import { findOne, isName, kinds, type Resource } from '../ids.ts'
import type { InterfacePlan, VirtualInterface, VirtualInterfacePlan } from '../instances/interfaces.ts'
import type { SecurityGroup, Subnet, Vpc } from '../world.ts'
import type {
  CreateInstanceValues,
  NetworkAttachmentValues,
  NetworkInterfaceValues,
  VirtualInterfaceValues,
} from './parameters.ts'

interface Surroundings {
  readonly account: Account
  readonly resourceGroup: Resource
}

type Interfaces = readonly [InterfacePlan, ...InterfacePlan[]]

/** What connects the instance to its network: in exactly one of two forms, and all of it in one network. */
export function checkNetwork(values: CreateInstanceValues, around: Surroundings): Interfaces {
  const interfaces = formOf(values, around)
  const vpcs = new Set(interfaces.map((one) => one.interface.subnet.vpc))
  if (vpcs.size > 1) throw new IbmError('vpc_resource_separation', 'The resources are in different VPCs.')
  refuseTwice(interfaces)
  return interfaces
}

function formOf(values: CreateInstanceValues, around: Surroundings): Interfaces {
  const { primary_network_attachment: attachment, primary_network_interface: own } = values
  const isMixed = own ? values.network_attachments !== undefined : values.network_interfaces !== undefined
  if (attachment && !own && !isMixed) {
    const others = values.network_attachments ?? []
    return [
      attach(attachment, 'primary_network_attachment', around),
      ...others.map((one, at) => attach(one, `network_attachments[${at}]`, around)),
    ]
  }
  if (own && !attachment && !isMixed) {
    const others = values.network_interfaces ?? []
    return [
      ownInterface(own, 'primary_network_interface', around),
      ...others.map((one, at) => ownInterface(one, `network_interfaces[${at}]`, around)),
    ]
  }
  throw notOneOf('primary_network_attachment', attachment === undefined && own === undefined ? 0 : 2)
}

function attach(given: NetworkAttachmentValues, field: string, around: Surroundings): InterfacePlan {
  const path = `${field}.virtual_network_interface`
  const { id, crn, href, ...proto } = given.virtual_network_interface
  const name = checkName(given.name, `${field}.name`)
  const said = Object.entries({ id, crn, href }).flatMap(([by, value]) => (value === undefined ? [] : [{ by, value }]))
  const [identity] = said
  if (!identity) return { kind: 'new', name, interface: checkVirtualInterface(proto, path, around) }
  if (said.length > 1 || Object.keys(proto).length > 0) throw notOneOf(path, said.length + Object.keys(proto).length)
  return { kind: 'existing', name, interface: existing(identity, path, around) }
}

function existing(identity: Identity, field: string, { account }: Surroundings): VirtualInterface {
  const { interfaces, world } = account
  const kind = kinds.virtualNetworkInterface
  const found = findOne(identity, { kind, items: interfaces.all, place: world, field })
  if (!found.target) return found
  throw new IbmError(
    'virtual_network_interface_in_use',
    `The virtual network interface ${found.id} has a target already.`,
  )
}

function ownInterface(given: NetworkInterfaceValues, field: string, around: Surroundings): InterfacePlan {
  const { name, ...proto } = given
  return { kind: 'own', name: checkName(name, `${field}.name`), interface: checkVirtualInterface(proto, field, around) }
}

/** All that may be wrong with an interface that is to be made. */
export function checkVirtualInterface(
  given: VirtualInterfaceValues,
  field: string,
  { account, resourceGroup }: Surroundings,
): VirtualInterfacePlan {
  const { world, interfaces } = account
  if (!given.subnet) throw badField(`${field}.subnet`, 'The subnet is required unless a reserved IP says it.')
  const subnet = findOne(given.subnet, {
    kind: kinds.subnet,
    items: world.subnets,
    place: world,
    field: `${field}.subnet`,
  })
  const name = checkName(given.name, `${field}.name`)
  const isTaken = interfaces.all.some((one) => one.name === name && one.subnet.vpc === subnet.vpc)
  if (name !== undefined && isTaken) throw nameTaken(name, `${field}.name`)
  if (given.enable_infrastructure_nat === false) throw notSimulated(`${field}.enable_infrastructure_nat: false`)
  return {
    name,
    subnet,
    groups: checkGroups(given.security_groups, subnet, { account, field: `${field}.security_groups` }),
    address: checkAddress(given.primary_ip, subnet, { account, field: `${field}.primary_ip` }),
    autoDelete: given.auto_delete ?? false,
    allowSpoofing: given.allow_ip_spoofing ?? false,
    filtering: given.protocol_state_filtering_mode ?? 'auto',
    resourceGroup: checkResourceGroup(given.resource_group, account, `${field}.resource_group`) ?? resourceGroup,
  }
}

interface In {
  readonly account: Account
  readonly field: string
}

function checkGroups(
  given: readonly Identity[] | undefined,
  { vpc }: Subnet,
  { account, field }: In,
): readonly SecurityGroup[] {
  const { securityGroups: items, vpcs } = account.world
  const kind = kinds.securityGroup
  const usual = vpcs.find(({ id }) => id === vpc)?.securityGroup
  if (!given || given.length === 0) return items.filter(({ id }) => id === usual)
  const groups = given.map((identity, at) =>
    findOne(identity, { kind, items, place: account.world, field: `${field}[${at}]` }),
  )
  const stranger = groups.find((group) => group.vpc !== vpc)
  if (!stranger) return groups
  throw new IbmError(
    'vpc_resource_separation',
    `The security group ${stranger.name} is in another VPC than the subnet.`,
  )
}

function checkAddress(given: VirtualInterfaceValues['primary_ip'], subnet: Subnet, { account, field }: In) {
  if (given?.id !== undefined || given?.href !== undefined) throw notSimulated('reserved IPs that are there already')
  const pool = account.networks.of(subnet)
  const wanted = given?.address
  if (wanted === undefined) {
    if (pool.free > 0) return undefined
    throw new IbmError('subnet_out_of_ip_addresses', 'There are no more IP addresses available in the subnet.')
  }
  if (!isAddress(wanted)) {
    throw new IbmError(
      'validation_invalid_address',
      'The value is not a valid address.',
      target(`${field}.address`, wanted),
    )
  }
  if (!pool.holds(wanted)) throw badField(`${field}.address`, 'The address is not in the subnet.', wanted)
  if (!pool.has(wanted)) return wanted
  const sentence = 'The specified address is already reserved on the subnet.'
  throw new IbmError('address_is_already_reserved', sentence, target(`${field}.address`, wanted))
}

/** What two interfaces of one request cannot both have. */
function refuseTwice(interfaces: Interfaces): void {
  const seen = new Set<string>()
  for (const one of interfaces) {
    const { id: existing } = one.kind === 'existing' ? one.interface : { id: undefined }
    const { vpc } = one.interface.subnet
    const names = one.kind === 'new' && one.interface.name !== undefined ? [`name ${one.interface.name} in ${vpc}`] : []
    const address = one.kind === 'existing' ? undefined : one.interface.address
    const things = [...names, ...[one.name, existing, address].filter((thing) => thing !== undefined)]
    const twice = things.find((thing) => seen.has(thing))
    if (twice !== undefined) throw badField('network_attachments', `The request says ${twice} twice.`, twice)
    for (const thing of things) seen.add(thing)
  }
}

export function checkName(name: string | undefined, field: string): string | undefined {
  if (name === undefined || isName(name)) return name
  throw new IbmError('validation_invalid_name', 'The value is not a valid name.', target(field, name))
}

export function nameTaken(name: string, field = 'name'): IbmError {
  return new IbmError('validation_unique_failed', `Provided Name (${name}) is not unique`, target(field, name))
}

export function checkResourceGroup(identity: Identity | undefined, { world }: Account, field: string) {
  if (!identity) return undefined
  const kind = { path: 'resource_groups', type: 'resource-group' }
  return findOne(identity, { kind, items: world.resourceGroups, place: world, field })
}

/** The network that all of them are in, which the request may say as well. */
export function checkVpc(values: CreateInstanceValues, [primary]: Interfaces, { world }: Account): Vpc {
  const vpc = world.vpcs.find(({ id }) => id === primary.interface.subnet.vpc)
  if (!vpc) throw new Error(`Subnet ${primary.interface.subnet.id} is in no network of this world`)
  if (!values.vpc) return vpc
  const said = findOne(values.vpc, { kind: kinds.vpc, items: world.vpcs, place: world, field: 'vpc' })
  if (said.id === vpc.id) return vpc
  throw new IbmError(
    'vpc_resource_separation',
    'The VPC does not match the VPC of the subnets.',
    target('vpc', said.id),
  )
}

function target(name: string, value: string) {
  return { name, type: 'field', value } as const
}
