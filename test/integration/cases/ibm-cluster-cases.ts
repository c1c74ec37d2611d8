import type { Case } from './crd-cases.ts'

/** The required fields only. */
export const ibmCluster = { region: 'us-south' }

export const ibmClusterCases: Case[] = [
  { because: 'a region is enough', spec: {} },
  { because: 'a zone is no region', spec: { region: 'us-south-1' }, says: 'spec.region in body should match' },
  { because: 'a resource group', spec: { resourceGroup: '0123456789abcdef0123456789abcdef' } },
  {
    because: 'a resource group by its name',
    spec: { resourceGroup: 'Default' },
    says: 'spec.resourceGroup in body should match',
  },
  {
    because: 'a whole network',
    spec: {
      network: {
        vpc: { id: 'r006-v' },
        workerSubnets: [{ id: '0717-s', zone: 'us-south-1' }, { id: '0727-s' }],
        securityGroups: [{ id: 'r006-g' }, { name: 'nodes' }],
      },
    },
  },
  {
    because: 'a subnet stands there twice',
    spec: { network: { workerSubnets: [{ id: '0717-s', zone: 'us-south-1' }, { id: '0717-s' }] } },
    says: 'spec.network.workerSubnets[1]: Duplicate value',
  },
  {
    because: 'a security group is named by one thing',
    spec: { network: { securityGroups: [{ id: 'r006-g', name: 'nodes' }] } },
    says: 'spec.network.securityGroups[0]: Invalid value: each entry needs either id or name',
  },
  {
    because: 'half an endpoint',
    spec: { controlPlaneEndpoint: { host: 'h' } },
    says: 'spec.controlPlaneEndpoint.port: Required value',
  },
]
