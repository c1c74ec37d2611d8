import type { GCPMachineSpec } from '../../api/generated/gcp-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { instanceName } from '../instance-name.ts'
import { attemptPatterns } from './attempt-patterns.ts'
import { capacityOf } from './capacity.ts'
import { Gce } from './client.ts'
import { understood } from '../understood.ts'
import { GcpInstances } from './instances.ts'
import { Lookups } from './lookups.ts'
import { plan } from './plan.ts'
import { providerIDOf } from './provider-id.ts'
import { failureDomainsOf, clusterSpec, scopeOf } from './wanted.ts'

export function gcpCloud(settings: CloudSettings = {}): Cloud {
  const gce = new Gce(settings)
  const lookups = new Lookups(gce)
  return {
    name: 'gcp',
    attemptPatterns,
    instances: understood(new GcpInstances(gce)),
    scopeOf,
    accountOf: ({ account }) => Promise.resolve(account),
    vanishesWhenTaken: (spec) => (spec as unknown as GCPMachineSpec).instanceTerminationAction === 'Delete',
    nameOf: instanceName,
    providerIDOf,
    failureDomainsOf: (cluster) => failureDomainsOf(clusterSpec(cluster)),
    plan: (wanted, ctx) => plan(wanted, lookups, ctx),
    capacityOf: (spec, scope, ctx) => capacityOf(spec as unknown as GCPMachineSpec, lookups, scope, ctx),
  }
}
