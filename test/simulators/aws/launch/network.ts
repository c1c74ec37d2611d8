import { AddressPool, isAddress } from '../../kit/supply/addresses.ts'
import type { Account } from '../account.ts'
import { Ec2Error, invalidCombination, invalidValue } from '../http/errors.ts'
import { findAll, findOne, ids, names } from '../ids.ts'
import { isOfferedIn, type InstanceType } from '../supply/instance-types.ts'
import type { InterfacePlan } from '../instances/instance.ts'
import type { SecurityGroup, Subnet, World } from '../world.ts'
import type { InterfaceValues, RunInstancesValues } from './parameters.ts'

const mostGroups = 5

/** The interfaces of one instance, the first of them at index 0: where it is on the network and in which zone. */
export function checkNetwork(
  values: RunInstancesValues,
  type: InstanceType,
  account: Account,
): readonly [InterfacePlan, ...InterfacePlan[]] {
  const interfaces = values.NetworkInterface
    ? listedInterfaces(values, values.NetworkInterface, type, account)
    : [onlyInterface(values, type, account)]
  const [first, ...others] = interfaces.toSorted((a, b) => a.deviceIndex - b.deviceIndex)
  if (!first || first.deviceIndex !== 0) {
    throw invalidCombination('A network interface with device index 0 must be specified.')
  }
  for (const { subnet } of others) {
    if (subnet.zone.name !== first.subnet.zone.name) {
      throw invalidCombination('All network interfaces of an instance must be in the same Availability Zone.')
    }
  }
  const zone = values.Placement?.AvailabilityZone
  if (zone !== undefined && zone !== first.subnet.zone.name) {
    throw invalidValue(
      `Value (${zone}) for parameter availabilityZone is invalid. The subnet is in ${first.subnet.zone.name}.`,
    )
  }
  return [first, ...others]
}

function onlyInterface(values: RunInstancesValues, type: InstanceType, account: Account): InterfacePlan {
  if (values.SecurityGroup && values.SubnetId !== undefined) {
    throw invalidCombination('The parameter groupName cannot be used with the parameter subnet')
  }
  const subnet = chooseSubnet(values.SubnetId, values, type, account)
  const named = values.SecurityGroup && groupsByName(values.SecurityGroup, subnet, account.world)
  return {
    deviceIndex: 0,
    subnet,
    groups: [...(named ?? []), ...checkGroups(values.SecurityGroupId, subnet, account.world, named === undefined)],
    isPublic: subnet.isPublic,
    address: checkAddress(values.PrivateIpAddress, subnet, values.MaxCount, account),
    deleteOnTermination: true,
    description: '',
  }
}

function listedInterfaces(
  values: RunInstancesValues,
  listed: readonly InterfaceValues[],
  type: InstanceType,
  account: Account,
): readonly InterfacePlan[] {
  refuseBeside(values)
  if (listed.length > type.interfaces) {
    throw new Ec2Error('AttachmentLimitExceeded', `Interface count ${listed.length} exceeds the limit for ${type.name}`)
  }
  if (new Set(listed.map(({ DeviceIndex }) => DeviceIndex)).size < listed.length) {
    throw invalidCombination('Each network interface requires a unique device index.')
  }
  if (listed.length > 1 && listed.some((one) => one.AssociatePublicIpAddress !== undefined)) {
    throw invalidCombination(
      'The associatePublicIPAddress parameter cannot be specified when launching with multiple network interfaces.',
    )
  }
  return listed.map((one) => listedInterface(one, values, type, account))
}

/** Both ways to say where an instance goes, in one request: the trap of many a template. */
function refuseBeside(values: RunInstancesValues): void {
  const beside = [
    ['subnet ID', values.SubnetId],
    ['security groups', values.SecurityGroupId ?? values.SecurityGroup],
    ['private IP address', values.PrivateIpAddress],
  ] as const
  for (const [what, value] of beside) {
    if (value === undefined) continue
    const article = what.startsWith('security') ? '' : 'an '
    throw invalidCombination(
      `Network interfaces and ${article}instance-level ${what} may not be specified on the same request`,
    )
  }
}

function refuseWithoutEfa({ name, hasEfa }: InstanceType): void {
  if (hasEfa) return
  throw new Ec2Error('UnsupportedOperation', `EFA interfaces are not supported on ${name}`)
}

function listedInterface(
  one: InterfaceValues,
  values: RunInstancesValues,
  type: InstanceType,
  account: Account,
): InterfacePlan {
  // Nothing but launches makes interfaces here, and those are taken: there is none to be named.
  if (one.NetworkInterfaceId !== undefined) findOne<string>(ids.networkInterface, one.NetworkInterfaceId, [], String)
  if (one.DeviceIndex === undefined) throw invalidValue('Each network interface requires a device index.')
  if (one.InterfaceType?.startsWith('efa')) refuseWithoutEfa(type)
  const subnet = chooseSubnet(one.SubnetId, values, type, account)
  if ((one.PrimaryIpv6 || (one.Ipv6AddressCount ?? 0) > 0) && !subnet.hasIPv6) {
    throw new Ec2Error('InvalidParameterValue', `The subnet ${subnet.id} has no IPv6 CIDR block.`)
  }
  return {
    deviceIndex: one.DeviceIndex,
    subnet,
    groups: checkGroups(one.SecurityGroupId, subnet, account.world, true),
    isPublic: one.AssociatePublicIpAddress ?? subnet.isPublic,
    address: checkAddress(one.PrivateIpAddress, subnet, values.MaxCount, account),
    deleteOnTermination: one.DeleteOnTermination ?? true,
    description: one.Description ?? '',
  }
}

/** Without a subnet EC2 takes a default one, of the zone that is asked for or else of one that has what is wanted. */
function chooseSubnet(
  id: string | undefined,
  { Placement, InstanceMarketOptions }: RunInstancesValues,
  type: InstanceType,
  { world, capacity, clock }: Account,
): Subnet {
  if (id !== undefined) return findOne(ids.subnet, id, world.subnets, (subnet) => subnet.id)
  const zone = Placement?.AvailabilityZone
  if (zone !== undefined) findOne(names.zone, zone, world.zones, ({ name }) => name)
  const open = world.subnets.filter((one) => one.isDefault && (zone === undefined || one.zone.name === zone))
  const market = InstanceMarketOptions?.MarketType === 'spot' ? 'spot' : 'on-demand'
  const best = open.find(
    (one) =>
      isOfferedIn(type, one.zone.name) &&
      capacity.has({ instanceType: type.name, zone: one.zone.name, market }, clock.now()),
  )
  const chosen = best ?? open[0]
  if (chosen) return chosen
  throw new Ec2Error('MissingInput', 'No subnets found for the default VPC. Please specify a subnet.')
}

function checkGroups(
  wanted: readonly string[] | undefined,
  subnet: Subnet,
  world: World,
  orDefault: boolean,
): readonly SecurityGroup[] {
  if (!wanted || wanted.length === 0) {
    return orDefault ? world.securityGroups.filter(({ vpc, name }) => vpc === subnet.vpc && name === 'default') : []
  }
  const groups = findAll(ids.securityGroup, wanted, world.securityGroups, ({ id }) => id)
  for (const { id, vpc } of groups) {
    if (vpc === subnet.vpc) continue
    throw new Ec2Error('InvalidParameter', `Security group ${id} and subnet ${subnet.id} belong to different networks.`)
  }
  if (groups.length > mostGroups) {
    throw new Ec2Error(
      'SecurityGroupsPerInterfaceLimitExceeded',
      'The maximum number of security groups per interface has been reached.',
    )
  }
  return groups
}

function groupsByName(wanted: readonly string[], { vpc }: Subnet, world: World): readonly SecurityGroup[] {
  const here = world.securityGroups.filter((group) => group.vpc === vpc)
  return findAll(names.securityGroup, wanted, here, ({ name }) => name)
}

function checkAddress(
  address: string | undefined,
  subnet: Subnet,
  count: number,
  { instances }: Account,
): string | undefined {
  if (address === undefined) return undefined
  if (count > 1) throw invalidCombination('A private IP address can be specified for one instance only.')
  if (!isAddress(address) || !new AddressPool(subnet.cidr).holds(address)) {
    throw invalidValue(`Address ${address} does not fall within the subnet's address range`)
  }
  if (instances.addressIsTaken(subnet, address)) {
    throw new Ec2Error('InvalidIPAddress.InUse', `Address ${address} is in use.`)
  }
  return address
}
