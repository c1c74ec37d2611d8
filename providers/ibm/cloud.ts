import type { IBMClusterSpec } from '../../api/generated/ibm-cluster.ts'
import type { IBMMachineSpec } from '../../api/generated/ibm-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { instanceName } from '../shared/instance-name.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { nodeSizeOf } from './lookups/node-size.ts'
import { Vpc } from './wire/client.ts'
import { ibmInstances } from './instances.ts'
import { Lookups } from './lookups/lookups.ts'
import { ibmOfferings } from './launch/offerings.ts'
import { plan } from './launch/plan.ts'
import { providerIDOf } from './observe/provider-id.ts'
import { failureDomainsOf, scopeOf } from './launch/wanted.ts'

export function ibmCloud(settings: CloudSettings = {}): Cloud<IBMMachineSpec, IBMClusterSpec> {
  const vpc = new Vpc(settings)
  const lookups = new Lookups(vpc)
  return {
    name: 'ibm',
    attemptPatterns,
    instances: ibmInstances(vpc),
    scopeOf,
    accountOf: (scope, ctx) => vpc.accountOf(scope, ctx),
    vanishesWhenTaken: (spec) => spec.availabilityPolicy?.preemption === 'delete',
    nameOf: instanceName,
    providerIDOf,
    failureDomainsOf: ({ spec }) => failureDomainsOf(spec),
    plan: (wanted, ctx) => plan(wanted, lookups, ctx),
    offerings: ibmOfferings(lookups),
    nodeSizeOf: (spec, scope, ctx) => nodeSizeOf(spec, lookups, scope, ctx),
  }
}
