import { types } from '../ids.ts'
import type { Interface } from './interfaces.ts'
import { etagOf } from '../http/json.ts'
import type { PublicAddress } from './public-addresses.ts'
import type { Network, Subnet, World } from '../world.ts'

/** Network interfaces and the like as Azure shows them. */
export function interfaceJson(one: Readonly<Interface>): object {
  const { properties, location } = one.given
  return {
    name: one.name,
    id: one.id,
    etag: `W/${etagOf(one)}`,
    type: types.networkInterface,
    location,
    ...(Object.keys(one.tags).length > 0 ? { tags: one.tags } : {}),
    properties: {
      provisioningState: one.isDeleting ? 'Deleting' : 'Succeeded',
      ipConfigurations: one.addresses.map((address) => addressJson(one, address)),
      dnsSettings: { dnsServers: [], appliedDnsServers: [], ...properties.dnsSettings },
      macAddress: one.attachedTo === undefined ? '' : one.mac,
      ...(one.attachedTo === undefined ? {} : { primary: one.isPrimary, virtualMachine: { id: one.attachedTo } }),
      ...(properties.networkSecurityGroup ? { networkSecurityGroup: properties.networkSecurityGroup } : {}),
      enableAcceleratedNetworking: properties.enableAcceleratedNetworking ?? false,
      enableIPForwarding: properties.enableIPForwarding ?? false,
      disableTcpStateTracking: properties.disableTcpStateTracking ?? false,
      nicType: properties.nicType ?? 'Standard',
      hostedWorkloads: [],
      tapConfigurations: [],
    },
  }
}

function addressJson(one: Readonly<Interface>, address: Interface['addresses'][number]): object {
  const id = `${one.id}/ipConfigurations/${address.name}`
  return {
    name: address.name,
    id,
    etag: `W/${etagOf(one)}`,
    type: `${types.networkInterface}/ipConfigurations`,
    properties: {
      provisioningState: 'Succeeded',
      privateIPAddress: address.address,
      privateIPAllocationMethod: address.wanted === undefined ? 'Dynamic' : 'Static',
      subnet: { id: address.subnet.id },
      primary: address.isPrimary,
      privateIPAddressVersion: 'IPv4',
      ...(address.publicAddress
        ? {
            publicIPAddress: {
              id: address.publicAddress.id,
              properties: { deleteOption: address.publicAddress.deleteOption },
            },
          }
        : {}),
    },
  }
}

export function publicAddressJson(one: Readonly<PublicAddress>, { location }: World): object {
  return {
    name: one.name,
    id: one.id,
    etag: `W/${etagOf(one)}`,
    type: types.publicAddress,
    location,
    ...(Object.keys(one.tags).length > 0 ? { tags: one.tags } : {}),
    ...(one.zones.length > 0 ? { zones: one.zones } : {}),
    sku: { name: one.sku, tier: 'Regional' },
    properties: {
      provisioningState: 'Succeeded',
      publicIPAddressVersion: 'IPv4',
      publicIPAllocationMethod: one.method,
      idleTimeoutInMinutes: 4,
      ipTags: [],
      ...(one.method === 'Static' || one.attachedTo !== undefined ? { ipAddress: one.address } : {}),
      ...(one.attachedTo === undefined ? {} : { ipConfiguration: { id: one.attachedTo } }),
    },
  }
}

export function networkJson({ id, name, cidr, subnets }: Network, { location }: World): object {
  return {
    name,
    id,
    type: types.network,
    location,
    properties: {
      provisioningState: 'Succeeded',
      addressSpace: { addressPrefixes: [cidr] },
      subnets: subnets.map(subnetJson),
    },
  }
}

export function subnetJson({ id, name, cidr }: Subnet): object {
  return {
    name,
    id,
    type: `${types.network}/subnets`,
    properties: {
      provisioningState: 'Succeeded',
      addressPrefix: cidr,
      privateEndpointNetworkPolicies: 'Disabled',
      privateLinkServiceNetworkPolicies: 'Enabled',
    },
  }
}
