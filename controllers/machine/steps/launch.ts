import type { Ctx } from '../../../api/ctx.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { obstacleToLaunch } from '../../../api/rules/launchable.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { isHeldBack } from '../../../providers/errors.ts'
import { hasFallback } from '../../capacity/fallback.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import { launchAttempt } from '../launch/launch-attempt.ts'
import { readBootstrapData } from '../launch/bootstrap.ts'
import { afterRefusal, verdictOfRefused } from '../launch/after-refusal.ts'
import { isStillFree } from '../launch/choose.ts'
import { lookupBackoffKey } from '../launch/lookup-backoff.ts'
import { stillHeld } from '../launch/turn.ts'
import { unknownAccount } from '../launch/unknown-account.ts'
import type { LaunchPass, Pass } from '../pass.ts'
import { notOwned } from './ensure-finalizer.ts'

/**
 * The one place that costs money. The attempt is written first, and the instance carries its token. So this step may be
 * cut off anywhere, and any process may run it again.
 */
export async function launch(pass: LaunchPass, ctx: Ctx): Promise<Result> {
  const settled = settledBefore(pass) ?? notYet(pass, ctx)
  // An attempt that has no answer may be over by now, so it looks further than for its turn.
  const isAsked = pass.attempt !== undefined && hasFallback(pass.infra) && !isStillFree(pass)
  const waits = settled ?? (isAsked ? undefined : stillHeld(pass, ctx))
  if (waits) return waits
  const data = await readBootstrapData(pass, ctx)
  if ('missing' in data) {
    pass.ready = { status: 'Unknown', reason: 'WaitingForBootstrapData', message: data.missing }
    return { requeueAfterMs: 15_000, reason: 'the bootstrap data is not there yet' }
  }
  try {
    return await launchAttempt(pass, data.userData, ctx)
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    if (isHeldBack(thrown)) return stillHeld(pass, ctx) ?? { requeueAfterMs: 0, reason: 'its turn has come' }
    return afterRefusal(pass, { refusal: thrown, at: 'call' }, ctx)
  }
}

/** There is an instance, or may be one; or a definite no; or nothing may be requested now. */
function settledBefore(pass: Pass): Result | undefined {
  const { attempt, barred, isRecovered, phase } = pass
  if (attempt?.refused) pass.ready = verdictOfRefused(pass, attempt.refused)
  if (phase !== 'unrequested' && phase !== 'requested') return 'done'
  if (barred || !isRecovered) return 'done'
  const obstacle = obstacleToLaunch({ ...pass, resource: pass.deps.resource, siblings: siblingsOf(pass) })
  const waiting = obstacle ? { status: 'Unknown' as const, ...obstacle } : unknownAccount(pass)
  if (!waiting) return undefined
  pass.ready = waiting
  return obstacle ? 'done' : { requeueAfterMs: 15_000, reason: 'the account of the cluster is not known' }
}

function siblingsOf({ deps, machine }: Pass): InfraMachine[] {
  return machine ? deps.infraMachines.by('machine', keyOf(machine)) : []
}

function notYet(pass: Pass, ctx: Ctx): Result | undefined {
  const { key, deps, attempt } = pass
  const held = deps.gate.closed()
  if (held !== undefined) return { requeueAfterMs: 1_000, reason: held }
  const now = ctx.clock.monotonic()
  const rest = Math.max(deps.backoff.rest(key, now), attempt ? 0 : deps.backoff.rest(lookupBackoffKey(pass), now))
  if (rest > 0) return { requeueAfterMs: rest, reason: 'the cloud has refused; it is too early to ask again' }
  return notOwned(pass)
}
