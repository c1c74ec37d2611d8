import {
  boolean,
  integer,
  kept,
  list,
  readOnly,
  required,
  structure,
  text,
  texts,
  unplayed,
  word,
  type Values,
} from '../fields.ts'

const ipConfiguration = structure('NetworkInterfaceIpConfiguration', {
  name: text,
  id: readOnly,
  etag: readOnly,
  type: readOnly,
  properties: structure('NetworkInterfaceIpConfigurationProperties', {
    subnet: structure('Subnet', { id: text, name: readOnly, properties: readOnly }),
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
    applicationSecurityGroups: kept,
    applicationGatewayBackendAddressPools: kept,
    loadBalancerBackendAddressPools: kept,
    loadBalancerInboundNatRules: kept,
    gatewayLoadBalancer: unplayed,
    virtualNetworkTaps: unplayed,
    provisioningState: readOnly,
    privateLinkConnectionProperties: readOnly,
  }),
})

const properties = structure('NetworkInterfacePropertiesFormat', {
  ipConfigurations: list(ipConfiguration),
  networkSecurityGroup: structure('NetworkSecurityGroup', { id: required(text) }),
  dnsSettings: structure('NetworkInterfaceDnsSettings', {
    dnsServers: list(text),
    internalDnsNameLabel: text,
    appliedDnsServers: readOnly,
    internalFqdn: readOnly,
    internalDomainNameSuffix: readOnly,
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
  provisioningState: readOnly,
  resourceGuid: readOnly,
  macAddress: readOnly,
  primary: readOnly,
  virtualMachine: readOnly,
  hostedWorkloads: readOnly,
  tapConfigurations: readOnly,
  vnetEncryptionSupported: readOnly,
  defaultOutboundConnectivityEnabled: readOnly,
  dscpConfiguration: readOnly,
  privateEndpoint: readOnly,
})

/** What a PUT of a network interface may say. */
export const networkInterfaceFields = {
  id: readOnly,
  name: readOnly,
  type: readOnly,
  etag: readOnly,
  kind: readOnly,
  location: text,
  tags: texts,
  extendedLocation: unplayed,
  properties: required(properties),
} as const

export type NetworkInterfaceValues = Values<typeof networkInterfaceFields>
export type IpConfigurationValues = Values<(typeof ipConfiguration)['fields']>
