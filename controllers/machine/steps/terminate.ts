import type { Ctx } from '../../../api/ctx.ts'
import type { Verdict } from '../../../api/conditions.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { inSentence } from '../../../api/sentence.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { end, type Wait } from '../existence/end.ts'
import { forget } from '../forget.ts'
import { hasFinalizer, removeFinalizer } from '../status/patch.ts'
import type { EndPass, Pass } from '../pass.ts'
import { whichInstance } from '../existence/which.ts'

const deletingVerdict: Verdict<MachineReason> = {
  status: 'False',
  reason: 'Deleting',
  message: 'The manager is removing the instance and its resources from the cloud.',
}

/** Ends the instance of the attempt and its parts. The finalizer stays until the cloud says that they are gone. */
export async function terminate(pass: EndPass, ctx: Ctx): Promise<Result> {
  if (!hasFinalizer(pass)) return 'done'
  const which = whichInstance(pass)
  if (!which) return withoutAttempt(pass, ctx)
  const how = await end(pass, { which, isWanted: ({ metadata }) => metadata.deletionTimestamp !== undefined }, ctx)
  if (how === 'gone' && pass.attempt?.left) {
    pass.ready = deletingVerdict
    return 'done'
  }
  if (how === 'gone') {
    const { providerID } = pass.infra.spec
    await removeFinalizer(pass, ctx)
    forget(pass.key, pass.deps)
    if (providerID !== undefined) pass.deps.nodes.forget(providerID)
    ctx.log.info('Machine is gone from the cloud', { instance: which.id })
    return 'done'
  }
  pass.ready = verdictOf(how)
  return how
}

/**
 * Undefined keeps the earlier message, such as a refusal: in a pause, and for an object that may not be deleted any
 * more.
 */
function verdictOf(how: Wait): Verdict<MachineReason> | undefined {
  if (how.is === 'changed' || how.is === 'resting') return undefined
  if (how.is !== 'refused') return deletingVerdict
  return {
    ...deletingVerdict,
    message: `The instance cannot be removed yet. ${inSentence(how.error)}. The manager tries again.`,
  }
}

/** The cloud was never asked, or nothing proves which instance belongs to this machine. */
async function withoutAttempt(pass: Pass, ctx: Ctx): Promise<Result> {
  if (!pass.isRecovered) return 'done'
  if (pass.infra.spec.providerID === undefined) {
    await removeFinalizer(pass, ctx)
    return 'done'
  }
  pass.ready = {
    status: 'False',
    reason: 'OwnershipConflict',
    message: `spec.providerID is set, but nothing proves that the instance belongs to this machine. If it does, terminate it by hand. Then remove the finalizer of this object.`,
  }
  return { requeueAfterMs: 60_000, reason: 'the instance behind the providerID is not provably ours' }
}
