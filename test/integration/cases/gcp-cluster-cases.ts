import type { Case } from './crd-cases.ts'
import { labelCases } from './gcp-label-cases.ts'

/** The required fields only. */
export const gcpCluster = { project: 'my-project', region: 'europe-west1' }

export const gcpClusterCases: Case[] = [
  { because: 'a project and a region are enough', spec: {} },
  { because: 'a project of a domain', spec: { project: 'example.com:my-project' } },
  { because: 'no project', spec: { project: undefined }, says: 'spec.project: Required value' },
  { because: 'a zone is no region', spec: { region: 'europe-west1-b' }, says: 'spec.region in body should match' },
  {
    because: 'a network of another project, with subnets of several regions',
    spec: {
      network: {
        name: 'shared',
        hostProject: 'host-project',
        subnets: [{ name: 'a' }, { name: 'b', region: 'us-east1' }],
      },
    },
  },
  {
    because: 'a subnet without a name',
    spec: { network: { subnets: [{ region: 'us-east1' }] } },
    says: 'spec.network.subnets[0].name: Required value',
  },
  { because: 'some zones of the region', spec: { failureDomains: ['europe-west1-b', 'europe-west1-d'] } },
  {
    because: 'a zone for AI alone',
    spec: { failureDomains: ['europe-west1-ai1a'] },
  },
  {
    because: 'text behind the region that is no zone',
    spec: { failureDomains: ['europe-west1-b/instances/x/stop?y='] },
    says: 'spec.failureDomains[0] in body should match',
  },
  {
    because: 'a zone of another region',
    spec: { failureDomains: ['europe-west1-b', 'europe-west10-b'] },
    says: 'spec.failureDomains: Invalid value: every zone of failureDomains must be in the region',
  },
  {
    because: 'no zone at all',
    spec: { failureDomains: [] },
    says: 'spec.failureDomains in body should have at least 1 items',
  },
  {
    because: 'half an endpoint',
    spec: { controlPlaneEndpoint: { host: 'h' } },
    says: 'spec.controlPlaneEndpoint.port: Required value',
  },
  ...labelCases,
]
