import { interruptionPolicies, machineHealthChecks } from '../../../api/kinds.ts'
import type { InterruptionPolicy } from '../../../api/generated/interruption-policy.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { CapacityPools } from '../../capacity/pools.ts'
import type { Launches } from '../../capacity/launches.ts'
import { runRemediation } from '../../remediation/controller.ts'
import { clusterKeyOfSpec } from '../../remediation/index-key.ts'
import { Mendings } from '../../remediation/mendings.ts'
import type { Cache, Reflection } from '../../runtime/cache/cache.ts'
import { OwnWrites } from '../../runtime/cache/own-writes.ts'
import { cacheOf } from '../cache-of.ts'
import { remediation, type Common } from '../common.ts'
import type { Running } from '../part.ts'
import { projectHealthCheck } from '../projections.ts'

const name = remediation.part

export interface RemediationNeeds extends Common {
  /** By kind. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  readonly policies: Reflection<InterruptionPolicy>
  readonly launches: Launches
  readonly pools: CapacityPools | undefined
}

/** One pass covers the Machines of a Cluster, whatever their cloud. */
export function remediationPart(needs: RemediationNeeds): Running {
  const { supervisor, options, policies, remediationRun: run } = needs
  const { client } = supervisor
  const indexes = { cluster: clusterKeyOfSpec }
  const healthChecks = cacheOf(machineHealthChecks, { project: projectHealthCheck, indexes }, needs)
  const part = supervisor.part(name)
  const deps = {
    ...needs,
    client,
    healthChecks,
    mendings: new Mendings(),
    ownWrites: new OwnWrites(),
    watchFilter: options.watchFilter,
  }
  return {
    caches: [part.cache(interruptionPolicies.kind, policies), part.cache(machineHealthChecks.kind, healthChecks)],
    controllers: part.acting([{ name, run: (ctx) => runRemediation(deps, run, ctx) }]),
  }
}
