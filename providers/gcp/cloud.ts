import type { GCPMachineSpec } from '../../api/generated/gcp-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { instanceName } from '../shared/instance-name.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { nodeSizeOf } from './lookups/node-size.ts'
import { Gce } from './wire/client.ts'
import { normalized } from '../decorators/normalized.ts'
import { GcpInstances } from './instances.ts'
import { Lookups } from './lookups/lookups.ts'
import { plan } from './launch/plan.ts'
import { providerIDOf } from './observe/provider-id.ts'
import { failureDomainsOf, clusterSpec, scopeOf } from './launch/wanted.ts'

export function gcpCloud(settings: CloudSettings = {}): Cloud {
  const gce = new Gce(settings)
  const lookups = new Lookups(gce)
  return {
    name: 'gcp',
    attemptPatterns,
    instances: normalized(new GcpInstances(gce)),
    scopeOf,
    accountOf: ({ account }) => Promise.resolve(account),
    vanishesWhenTaken: (spec) => (spec as unknown as GCPMachineSpec).instanceTerminationAction === 'Delete',
    nameOf: instanceName,
    providerIDOf,
    failureDomainsOf: (cluster) => failureDomainsOf(clusterSpec(cluster)),
    plan: (wanted, ctx) => plan(wanted, lookups, ctx),
    nodeSizeOf: (spec, scope, ctx) => nodeSizeOf(spec as unknown as GCPMachineSpec, lookups, scope, ctx),
  }
}
