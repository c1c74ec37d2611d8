import { isIP } from 'node:net'
import type { Account } from '../account.ts'
import { isAddress } from '../../kit/supply/addresses.ts'
import { ArmError, invalidReference } from '../http/errors.ts'
import { sameId } from '../ids.ts'
import type { AddressPlan, Interface } from '../instances/interfaces.ts'
import type { Subnet, World } from '../world.ts'
import type { IpConfigurationValues, NetworkInterfaceValues } from './fields.ts'

const mostConfigurations = 256

/** All that Azure checks of an interface, and the addresses that it is to have. */
export function planAddresses(
  { properties }: NetworkInterfaceValues,
  { id, existing }: { id: string; existing: Interface | undefined },
  account: Account,
): readonly AddressPlan[] {
  const given = properties.ipConfigurations ?? []
  if (given.length === 0) {
    throw new ArmError('MissingIpConfiguration', `Network interface ${id} must have at least one IP configuration.`)
  }
  checkSizes(properties, id)
  const group = properties.networkSecurityGroup?.id
  if (group !== undefined && !account.world.securityGroups.some((one) => sameId(one, group))) {
    throw invalidReference(group, id)
  }
  const names = given.map(({ name }) => name?.toLowerCase() ?? '')
  const [nameless, twice] = [names.includes(''), names.find((name, at) => names.indexOf(name) < at)]
  if (nameless) throw new ArmError('InvalidRequestFormat', 'Cannot parse the request: an IP configuration has no name.')
  if (twice !== undefined) {
    throw new ArmError('DuplicateResourceName', `Resource ${id} has two child resources with the same name (${twice}).`)
  }
  const primaries = given.filter((one) => one.properties?.primary === true)
  if (given.length > 1 && primaries.length !== 1) {
    throw new ArmError(
      'IpConfigurationsMustHavePrimary',
      `Network interface ${id} has several IP configurations, of which exactly one must be primary.`,
    )
  }
  return given.map((one) => planAddress(one, { id, existing, isOnly: given.length === 1 }, account))
}

function checkSizes(
  { ipConfigurations: given = [], dnsSettings }: NetworkInterfaceValues['properties'],
  id: string,
): void {
  if (given.length > mostConfigurations) {
    throw new ArmError(
      'InvalidRequestFormat',
      `Network interface ${id} has ${given.length} IP configurations; at most ${mostConfigurations} are allowed.`,
    )
  }
  const server = dnsSettings?.dnsServers?.find((one) => isIP(one) === 0 && one !== 'AzureProvidedDNS')
  if (server !== undefined) {
    throw new ArmError('InvalidRequestFormat', `The DNS server ${server} of ${id} is no valid IP address.`)
  }
}

function planAddress(
  { name = '', properties = {} }: IpConfigurationValues,
  { id, existing, isOnly }: { id: string; existing: Interface | undefined; isOnly: boolean },
  account: Account,
): AddressPlan {
  const subnetId = properties.subnet?.id
  if (subnetId === undefined) {
    throw new ArmError(
      'SubnetRequired',
      `Subnet reference is required for ipconfiguration ${id}/ipConfigurations/${name}.`,
    )
  }
  const subnet = subnetCalled(subnetId, id, account.world)
  if (properties.privateIPAddressVersion === 'IPv6') {
    throw new ArmError('SubnetDoesNotHaveIPv6Prefix', `Subnet ${subnet.id} has no IPv6 address prefix.`)
  }
  const before = existing?.addresses.find((one) => one.name.toLowerCase() === name.toLowerCase())
  return {
    name,
    subnet,
    isPrimary: isOnly || properties.primary === true,
    wanted: checkAddress(properties, { subnet, id, before: before?.address }, account),
    publicAddress: checkPublicAddress(properties, `${id}/ipConfigurations/${name}`, account),
  }
}

type Properties = NonNullable<IpConfigurationValues['properties']>

function subnetCalled(wanted: string, id: string, { networks }: World): Subnet {
  const found = networks.flatMap(({ subnets }) => subnets).find((subnet) => sameId(subnet.id, wanted))
  if (found) return found
  throw invalidReference(wanted, id)
}

function checkAddress(
  { privateIPAddress: address, privateIPAllocationMethod: method = 'Dynamic' }: Properties,
  { subnet, id, before }: { subnet: Subnet; id: string; before: string | undefined },
  { interfaces }: Account,
): string | undefined {
  if (method === 'Dynamic') return undefined
  if (address === undefined || !isAddress(address)) {
    throw new ArmError(
      'PrivateIPAddressIsRequired',
      `Private IP address is required when privateIPAllocationMethod is Static in ${id}.`,
    )
  }
  const pool = interfaces.pool(subnet)
  if (!pool.holds(address)) {
    throw new ArmError(
      'PrivateIPAddressNotInSubnet',
      `Private static IP address ${address} does not belong to the range of subnet prefix ${subnet.cidr}.`,
    )
  }
  if (!pool.has(address) || address === before) return address
  throw new ArmError(
    'PrivateIPAddressInUse',
    `IP configuration of ${id} is using the private IP address ${address} which is already allocated to another resource.`,
  )
}

function checkPublicAddress(
  { publicIPAddress: wanted }: Properties,
  configuration: string,
  { publicAddresses }: Account,
): AddressPlan['publicAddress'] {
  if (wanted?.id === undefined) return undefined
  const found = publicAddresses.get(wanted.id)
  if (!found) throw invalidReference(wanted.id, configuration)
  if (found.attachedTo === undefined || sameId(found.attachedTo, configuration)) {
    return { id: found.id, deleteOption: wanted.properties?.deleteOption ?? 'Detach' }
  }
  throw new ArmError(
    'PublicIPAddressInUse',
    `Resource ${configuration} is referencing public IP address ${found.id} that is already allocated to resource ` +
      `${found.attachedTo}.`,
  )
}
