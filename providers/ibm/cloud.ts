import type { IBMMachineSpec } from '../../api/generated/ibm-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { instanceName } from '../instance-name.ts'
import { attemptPatterns } from './attempt-patterns.ts'
import { capacityOf } from './capacity.ts'
import { Vpc } from './client.ts'
import { understood } from '../understood.ts'
import { IbmInstances } from './instances.ts'
import { Lookups } from './lookups.ts'
import { plan } from './plan.ts'
import { providerIDOf } from './provider-id.ts'
import { failureDomainsOf, clusterSpec, scopeOf } from './wanted.ts'

export function ibmCloud(settings: CloudSettings = {}): Cloud {
  const vpc = new Vpc(settings)
  const lookups = new Lookups(vpc)
  return {
    name: 'ibm',
    attemptPatterns,
    instances: understood(new IbmInstances(vpc)),
    scopeOf,
    accountOf: (scope, ctx) => vpc.accountOf(scope, ctx),
    vanishesWhenTaken: (spec) => (spec as unknown as IBMMachineSpec).availabilityPolicy?.preemption === 'delete',
    nameOf: instanceName,
    providerIDOf,
    failureDomainsOf: (cluster) => failureDomainsOf(clusterSpec(cluster)),
    plan: (wanted, ctx) => plan(wanted, lookups, ctx),
    capacityOf: (spec, scope, ctx) => capacityOf(spec as unknown as IBMMachineSpec, lookups, scope, ctx),
  }
}
