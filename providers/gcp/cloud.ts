import type { GCPClusterSpec } from '../../api/generated/gcp-cluster.ts'
import type { GCPMachineSpec } from '../../api/generated/gcp-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { instanceName } from '../shared/instance-name.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { nodeSizeOf } from './lookups/node-size.ts'
import { Gce } from './wire/client.ts'
import { gcpInstances } from './instances.ts'
import { Lookups } from './lookups/lookups.ts'
import { gcpOfferings } from './launch/offerings.ts'
import { plan } from './launch/plan.ts'
import { providerIDOf } from './observe/provider-id.ts'
import { failureDomainsOf, scopeOf } from './launch/wanted.ts'

export function gcpCloud(settings: CloudSettings = {}): Cloud<GCPMachineSpec, GCPClusterSpec> {
  const gce = new Gce(settings)
  const lookups = new Lookups(gce)
  return {
    name: 'gcp',
    attemptPatterns,
    instances: gcpInstances(gce),
    scopeOf,
    accountOf: ({ account }) => Promise.resolve(account),
    vanishesWhenTaken: (spec) => spec.instanceTerminationAction === 'Delete',
    nameOf: instanceName,
    providerIDOf,
    failureDomainsOf: ({ spec }) => failureDomainsOf(spec),
    plan: (wanted, ctx) => plan(wanted, lookups, ctx),
    offerings: gcpOfferings(lookups),
    nodeSizeOf: (spec, scope, ctx) => nodeSizeOf(spec, lookups, scope, ctx),
  }
}
