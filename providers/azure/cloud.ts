import type { AzureClusterSpec } from '../../api/generated/azure-cluster.ts'
import type { AzureMachineSpec } from '../../api/generated/azure-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { instanceName } from '../shared/instance-name.ts'
import { isAccelerated } from './launch/network.ts'
import { subnetsFor } from './launch/placement.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { nodeSizeOf } from './lookups/node-size.ts'
import { Arm } from './wire/client.ts'
import { credentialFrom } from './wire/credentials.ts'
import { Extensions } from './launch/extensions.ts'
import { azureInstances } from './instances.ts'
import { Lookups } from './lookups/lookups.ts'
import { vanishesWhenTaken } from './launch/market.ts'
import { azureOfferings } from './launch/offerings.ts'
import { plan } from './launch/plan.ts'
import { providerIDOf } from './observe/provider-id.ts'
import type { Environment } from './variables.ts'
import { failureDomainsOf, readWanted, scopeOf } from './launch/wanted.ts'

export function azureCloud(settings: CloudSettings = {}): Cloud<AzureMachineSpec, AzureClusterSpec> {
  const environment: Environment = process.env
  const arm = new Arm(credentialFrom(environment), environment, settings)
  const lookups = new Lookups(arm)
  const extensions = new Extensions(arm)
  return {
    name: 'azure',
    attemptPatterns,
    instances: azureInstances(arm),
    scopeOf: (cluster) => scopeOf(cluster, environment),
    accountOf: ({ account }) => Promise.resolve(account),
    vanishesWhenTaken: vanishesWhenTaken,
    nameOf: instanceName,
    providerIDOf,
    failureDomainsOf: ({ spec }) => failureDomainsOf(spec),
    plan: async (wish, ctx) => {
      const wanted = readWanted(wish, scopeOf(wish.cluster, environment))
      return plan(wanted, await subnetsFor(wanted), await isAccelerated(wanted, lookups, ctx))
    },
    offerings: azureOfferings(lookups, environment),
    extend: ({ spec }, which, ctx) => extensions.install(spec.vmExtensions ?? [], which, ctx),
    nodeSizeOf: (spec, scope, ctx) => nodeSizeOf(spec, lookups, scope, ctx),
  }
}
