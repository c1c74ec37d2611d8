import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../api/ctx.ts'
import { spotGroup } from '../../api/kinds.ts'
import { findCondition } from '../../api/conditions.ts'
import { annotations, remediationDue } from '../../api/labels.ts'
import { clusterKeyOf, type InfraMachine, type Machine } from '../../api/machine.ts'
import type { Result } from '../runtime/controller/result.ts'
import { watching } from '../runtime/cache/watching.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { changed, mattersToUs, type Sides } from '../shared/changes.ts'
import type { RemediationDeps } from './deps.ts'
import { clusterKeyOfSpec } from './index-key.ts'
import { reconcileRemediation } from './reconcile.ts'

/**
 * Events that arrive together lead to one pass, because a pass covers all Machines of a Cluster. In a storm each one
 * changes many times, so the passes over many Machines are further apart.
 */
const gatherMs = 50
const perMachineMs = 1

const lookAgainMs = 5_000

/** Reconciles by Cluster. Every change that shows how its Machines are doing wakes it. */
export async function runRemediation(deps: RemediationDeps, run: Run, ctx: Ctx): Promise<void> {
  const { clusters, machines, infraMachines, policies, healthChecks } = deps
  /** By Cluster: the Machines of its last pass. */
  const counts = new Map<string, number>()
  const gathered = { afterMs: (key: string) => gatherMs + perMachineMs * (counts.get(key) ?? 0) }
  const watches = [
    watching(clusters, (change) => (mattersToUs(change) ? changed(change) : []), gathered),
    watching(machines, (change) => clustersOf(change, machineFacts), gathered),
    ...[...infraMachines.values()].map((cache) =>
      watching(cache, (change) => clustersOf(change, infraFacts), gathered),
    ),
    watching(
      policies,
      (change) => [change.before, change.after].flatMap((one) => (one ? clusterKeyOfSpec(one) : [])),
      gathered,
    ),
    watching(
      healthChecks,
      (change) => [change.before, change.after].flatMap((one) => (one ? clusterKeyOfSpec(one) : [])),
      gathered,
    ),
  ]
  const reconcile = async (key: string, passCtx: Ctx): Promise<Result> => {
    if (clusters.get(key)) counts.set(key, machines.by('cluster', key).length)
    else counts.delete(key)
    const kind = kindNotFollowed(key, deps)
    if (kind === undefined) return reconcileRemediation(key, deps, passCtx)
    return { requeueAfterMs: lookAgainMs, reason: `not every ${kind} is known at present` }
  }
  await runWatched({ name: 'Remediation', kind: 'Cluster', ...run, reconcile, watches }, ctx)
}

/** A Machine with an infra machine of an unknown kind must not count as one without an infra machine. */
export function kindNotFollowed(
  cluster: string,
  {
    machines,
    infraMachines,
  }: Pick<RemediationDeps, 'infraMachines'> & { machines: Pick<RemediationDeps['machines'], 'by'> },
): string | undefined {
  for (const { spec } of machines.by('cluster', cluster)) {
    const { apiGroup, kind = '' } = spec.infrastructureRef ?? {}
    const cache = apiGroup === spotGroup ? infraMachines.get(kind) : undefined
    if (cache && !(cache.hasSynced() && cache.connected())) return kind
  }
  return undefined
}

/** No key for a change that no plan can see. */
function clustersOf<T extends Machine | InfraMachine>(
  { before, after }: Sides<T>,
  factsOf: (object: T) => unknown,
): string[] {
  if (before && after && isDeepStrictEqual(factsOf(before), factsOf(after))) return []
  const object = after ?? before
  return object ? clusterKeyOf(object) : []
}

function machineFacts({ metadata, status }: Machine): unknown {
  const { labels, annotations: noted, ownerReferences, deletionTimestamp } = metadata
  const due = findCondition(status?.conditions, remediationDue)
  return [labels, noted, ownerReferences, deletionTimestamp, status?.nodeRef, status?.initialization, due]
}

function infraFacts({ metadata, status }: InfraMachine): unknown {
  const conditions = status?.conditions?.map(({ type, status, reason }) => [type, status, reason])
  return [metadata.annotations?.[annotations.attempt], metadata.deletionTimestamp, conditions]
}
