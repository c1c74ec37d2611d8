import { structure, word } from '../http/fields.ts'
import {
  boolean,
  each,
  integer,
  kept,
  list,
  map,
  output,
  required,
  text,
  unplayed,
  type Values,
} from '../../kit/http/schema.ts'

const ipConfiguration = structure('NetworkInterfaceIpConfiguration', {
  name: text,
  ...each(output, 'id etag type'),
  properties: structure('NetworkInterfaceIpConfigurationProperties', {
    subnet: structure('Subnet', { id: text, name: output, properties: output }),
    primary: boolean,
    privateIPAddress: text,
    privateIPAllocationMethod: word('IPAllocationMethod', 'Dynamic', 'Static'),
    privateIPAddressVersion: word('IPVersion', 'IPv4', 'IPv6'),
    privateIPAddressPrefixLength: integer,
    publicIPAddress: structure('PublicIpAddress', {
      id: text,
      properties: structure('PublicIpAddressProperties', {
        deleteOption: word('DeleteOptions', 'Delete', 'Detach'),
      }),
    }),
    ...each(kept, 'applicationSecurityGroups applicationGatewayBackendAddressPools loadBalancerBackendAddressPools'),
    ...each(kept, 'loadBalancerInboundNatRules'),
    gatewayLoadBalancer: unplayed,
    virtualNetworkTaps: unplayed,
    provisioningState: output,
    privateLinkConnectionProperties: output,
  }),
})

const properties = structure('NetworkInterfacePropertiesFormat', {
  ipConfigurations: list(ipConfiguration),
  networkSecurityGroup: structure('NetworkSecurityGroup', { id: required(text) }),
  dnsSettings: structure('NetworkInterfaceDnsSettings', {
    dnsServers: list(text),
    internalDnsNameLabel: text,
    ...each(output, 'appliedDnsServers internalFqdn internalDomainNameSuffix'),
  }),
  enableAcceleratedNetworking: boolean,
  enableIPForwarding: boolean,
  disableTcpStateTracking: boolean,
  nicType: word('NetworkInterfaceNicType', 'Standard', 'Elastic'),
  auxiliaryMode: word('NetworkInterfaceAuxiliaryMode', 'None', 'MaxConnections', 'Floating', 'AcceleratedConnections'),
  auxiliarySku: word('NetworkInterfaceAuxiliarySku', 'None', 'A1', 'A2', 'A4', 'A8'),
  workloadType: text,
  migrationPhase: unplayed,
  privateLinkService: unplayed,
  ...each(output, 'provisioningState resourceGuid macAddress primary virtualMachine hostedWorkloads'),
  ...each(output, 'tapConfigurations vnetEncryptionSupported defaultOutboundConnectivityEnabled dscpConfiguration'),
  ...each(output, 'privateEndpoint'),
})

/** What a PUT of a network interface may say. */
export const networkInterfaceFields = {
  ...each(output, 'id name type etag kind'),
  location: text,
  tags: map(text),
  extendedLocation: unplayed,
  properties: required(properties),
} as const

export type NetworkInterfaceValues = Values<typeof networkInterfaceFields>
export type IpConfigurationValues = Values<(typeof ipConfiguration)['fields']>
