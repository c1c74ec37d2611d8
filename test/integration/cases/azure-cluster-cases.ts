import { subscriptionID, tagCases } from './azure-machine-cases.ts'
import type { Case } from './crd-cases.ts'

/** The required fields only. */
export const azureCluster = {
  resourceGroup: 'workers',
  location: 'westeurope',
  networkSpec: { vnet: { name: 'spot' } },
}

export const azureClusterCases: Case[] = [
  { because: 'a group, a location and a network are enough', spec: {} },
  { because: 'a location in words', spec: { location: 'West Europe' }, says: 'spec.location in body should match' },
  { because: 'a subscription', spec: { subscriptionID } },
  {
    because: 'a subscription in capitals',
    spec: { subscriptionID: subscriptionID.toUpperCase() },
    says: 'spec.subscriptionID in body should match',
  },
  { because: 'the network is missing', spec: { networkSpec: undefined }, says: 'spec.networkSpec: Required value' },
  {
    because: 'subnets of all kinds',
    spec: {
      networkSpec: {
        vnet: { name: 'spot', resourceGroup: 'net' },
        subnets: [{ name: 'a' }, { name: 'b', role: 'bastion' }],
      },
    },
  },
  {
    because: 'a subnet stands there twice',
    spec: { networkSpec: { vnet: { name: 'spot' }, subnets: [{ name: 'a' }, { name: 'a' }] } },
    says: 'spec.networkSpec.subnets[1]: Duplicate value',
  },
  { because: 'zones', spec: { failureDomains: { '1': {}, '2': { controlPlane: false } } } },
  {
    because: 'a zone as Kubernetes names it',
    spec: { failureDomains: { 'westeurope-1': {} } },
    says: 'spec.failureDomains: Invalid value: failureDomains are zone numbers of Azure',
  },
  {
    because: 'half an endpoint',
    spec: { controlPlaneEndpoint: { host: 'h' } },
    says: 'spec.controlPlaneEndpoint.port: Required value',
  },
  ...tagCases,
]
