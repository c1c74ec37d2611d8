import type { Ctx } from '../../api/ctx.ts'
import { spotKind } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import { isReplaceable, isSkipped } from '../../api/rules/marks.ts'
import { isNotFound } from '../runtime/api-error.ts'
import { keyOf } from '../runtime/resource.ts'
import type { RemediationDeps } from './deps.ts'
import { infraOf } from './facts.ts'
import type { Tried } from './tried.ts'

/**
 * Machines whose infra machine somebody has deleted while nobody looked: no instance is left, and core leaves such a
 * Machine as it is. The cache alone proves nothing, for it may be late, and it lacks what a watch filter leaves out.
 */
export async function lostOf(
  { machines, tried }: { machines: readonly Machine[]; tried: Tried },
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<Set<string>> {
  const lost = new Set<string>()
  const look = async (machine: Machine) => {
    if (await isGone(machine, deps, ctx)) lost.add(keyOf(machine))
  }
  for (const machine of machines) {
    if (mayBeLost(machine) && !infraOf(machine, deps)) await tried(look(machine))
  }
  return lost
}

/** It had one, and is to be replaced if it has none any more. */
function mayBeLost(machine: Machine): boolean {
  const { metadata, status } = machine
  const hadOne = status?.initialization?.infrastructureProvisioned === true
  return hadOne && metadata.deletionTimestamp === undefined && isReplaceable(machine) && !isSkipped(machine)
}

async function isGone({ metadata, spec }: Machine, { client }: RemediationDeps, ctx: Ctx): Promise<boolean> {
  const { kind = '', name = '' } = spec.infrastructureRef ?? {}
  try {
    await client.get(spotKind(kind), { namespace: metadata.namespace, name }, ctx)
    return false
  } catch (thrown) {
    if (isNotFound(thrown)) return true
    throw thrown
  }
}
