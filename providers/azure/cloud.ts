import type { AzureMachineSpec } from '../../api/generated/azure-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { instanceName } from '../instance-name.ts'
import { isAccelerated } from './accelerated.ts'
import { attemptPatterns } from './attempt-patterns.ts'
import { capacityOf } from './capacity.ts'
import { Arm } from './client.ts'
import { credentialFrom } from './credentials.ts'
import { understood } from '../understood.ts'
import { Extensions } from './extensions.ts'
import { AzureInstances } from './instances.ts'
import { Lookups } from './lookups.ts'
import { vanishesWhenTaken } from './market.ts'
import { plan } from './plan.ts'
import { providerIDOf } from './provider-id.ts'
import type { Environment } from './variables.ts'
import { failureDomainsOf, readWanted, scopeOf } from './wanted.ts'

export function azureCloud(settings: CloudSettings = {}): Cloud {
  const environment: Environment = process.env
  const arm = new Arm(credentialFrom(environment), environment, settings)
  const lookups = new Lookups(arm)
  const extensions = new Extensions(arm)
  return {
    name: 'azure',
    attemptPatterns,
    instances: understood(new AzureInstances(arm)),
    scopeOf: (cluster) => scopeOf(cluster, environment),
    accountOf: ({ account }) => Promise.resolve(account),
    vanishesWhenTaken: (spec) => vanishesWhenTaken(spec as unknown as AzureMachineSpec),
    nameOf: instanceName,
    providerIDOf,
    failureDomainsOf,
    plan: async (wish, ctx) => {
      const wanted = readWanted(wish, scopeOf(wish.cluster, environment))
      return plan(wanted, await isAccelerated(wanted, lookups, ctx))
    },
    extend: ({ spec }, which, ctx) => {
      const { vmExtensions = [] } = spec as unknown as AzureMachineSpec
      return extensions.install(vmExtensions, which, ctx)
    },
    capacityOf: (spec, scope, ctx) => capacityOf(spec as unknown as AzureMachineSpec, lookups, scope, ctx),
  }
}
