import type { Ctx } from '../../api/ctx.ts'
import type { Machine } from '../../api/machine.ts'
import { isReplaceable, isSkipped } from '../../api/rules/markers.ts'
import { soonestRequeue, type Result } from '../runtime/controller/result.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { RemediationDeps } from './deps.ts'
import { infraOf, isInfraGone } from '../shared/infra-of.ts'
import type { Collect } from './collect-errors.ts'

/** The infra machine is created before its Machine. A restore from a backup may take a while between the two. */
const comesWithinMs = 5 * 60_000

export interface Lost {
  /** Keys of the Machines. */
  readonly keys: ReadonlySet<string>
  /** The time at which another one may count as lost. */
  readonly next: Result
}

/**
 * Machines whose infra machine was deleted while the manager did not watch. They have no instance, and core leaves such
 * a Machine as it is.
 */
export async function missingInfraOf(
  { machines, tried }: { machines: readonly Machine[]; tried: Collect },
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<Lost> {
  const keys = new Set<string>()
  const nexts: Result[] = []
  const look = async (machine: Machine) => {
    if (await isInfraGone(machine, deps.client, ctx)) keys.add(keyOf(machine))
  }
  const now = ctx.clock.now()
  for (const machine of machines) {
    if (!isWorthIt(machine) || infraOf(machine, deps)) continue
    const dueAt = lostAt(machine)
    if (dueAt <= now) await tried(look(machine))
    else nexts.push({ requeueAfterMs: dueAt - now, reason: 'an infra machine may still come' })
  }
  return { keys, next: soonestRequeue(...nexts) }
}

function isWorthIt(machine: Machine): boolean {
  return machine.metadata.deletionTimestamp === undefined && isReplaceable(machine) && !isSkipped(machine)
}

/** From this time on a missing infra machine will not appear any more. */
function lostAt({ metadata, status }: Machine): number {
  const hadOne = status?.initialization?.infrastructureProvisioned === true
  return hadOne ? 0 : (Date.parse(metadata.creationTimestamp ?? '') || 0) + comesWithinMs
}
