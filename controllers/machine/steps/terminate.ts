import type { Ctx } from '../../../api/ctx.ts'
import type { Verdict } from '../../../api/conditions.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { CloudError } from '../../../providers/errors.ts'
import type { InstanceRef } from '../../../providers/instances.ts'
import { turnAfterMs } from '../../../providers/wire/limiter.ts'
import { isNotFound } from '../../runtime/api-error.ts'
import type { Next } from '../../runtime/next.ts'
import { hasFinalizer, removeFinalizer } from '../patch.ts'
import type { Pass } from '../pass.ts'
import { hasServed, whichInstance } from '../which.ts'

/** How long look-ups have to stay empty before a create call whose answer was lost is taken to have made nothing. */
const emptyForMs = 60_000

const deletingVerdict: Verdict<MachineReason> = {
  status: 'False',
  reason: 'Deleting',
  message: 'The instance and what belongs to it are being removed from the cloud.',
}

const waits = {
  changed: { after: 1_000, why: 'the object is no longer what the cache shows' },
  going: { after: 10_000, why: 'the cloud is ending the instance' },
  empty: { after: 5_000, why: 'an instance may still come of a create call without an answer' },
} as const

/** Ends all that the attempt can have made. The finalizer stays until the cloud says that it is gone. */
export async function terminate(pass: Pass, ctx: Ctx): Promise<Next> {
  if (!hasFinalizer(pass)) return 'done'
  const which = whichInstance(pass)
  if (!which) return withoutAttempt(pass, ctx)
  pass.ready ??= deletingVerdict
  const held = pass.deps.gate.closed()
  if (held !== undefined) return { after: 1_000, why: held }
  const how = await end(pass, which, ctx)
  // What is no longer deleted must not be told that it is.
  if (how === 'changed') pass.ready = undefined
  if (how !== 'gone') return waits[how]
  await removeFinalizer(pass, ctx)
  ctx.log.info('Machine is gone from the cloud', { instance: which.id })
  return 'done'
}

/** 'empty': the cloud shows nothing, and it is too soon to believe it. */
async function end(pass: Pass, which: InstanceRef, ctx: Ctx): Promise<'gone' | keyof typeof waits> {
  const { cloud, deps } = pass
  const fleet = deps.fleetOf(which.scope, cloud)
  const known = fleet.look(which, hasServed(pass), ctx)
  if (known.is === 'gone') return 'gone'
  if (known.is === 'seen') {
    if (known.instance.state === 'terminated') return 'gone'
    if (known.instance.state === 'terminating') return 'going'
  }
  if (!(await isStillToEnd(pass, ctx))) return 'changed'
  if ((await ask(pass, which, ctx)) === 'going') {
    fleet.hurry()
    return 'going'
  }
  return mayStillCome(pass) && fleet.waitedFor(which.token, ctx) < emptyForMs ? 'empty' : 'gone'
}

/** A definite refusal made nothing; an instance that once served cannot come again. */
function mayStillCome(pass: Pass): boolean {
  return pass.attempt?.refused === undefined && !hasServed(pass)
}

/**
 * By a read out of etcd right before the call, as a launch has it with the bootstrap data: an API server that has lost
 * its etcd keeps our watches open, and in an older copy of etcd nobody may have deleted this object.
 */
async function isStillToEnd({ deps, infra }: Pass, ctx: Ctx): Promise<boolean> {
  const { namespace, name, uid } = infra.metadata
  try {
    const { metadata } = await deps.client.get<InfraMachine>(deps.resource, { namespace, name }, ctx)
    return metadata.uid === uid && metadata.deletionTimestamp !== undefined
  } catch (thrown) {
    if (isNotFound(thrown)) return false
    throw thrown
  }
}

async function ask(pass: Pass, which: InstanceRef, ctx: Ctx): Promise<'gone' | 'going'> {
  try {
    return await pass.cloud.instances.terminate(which, ctx)
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || turnAfterMs(thrown) !== undefined) throw thrown
    const message = `The instance cannot be removed yet (${thrown.code}: ${thrown.message}). It is asked for again.`
    pass.ready = { ...deletingVerdict, message }
    throw thrown
  }
}

/** Nothing was ever asked for, or nothing proves what was. */
async function withoutAttempt(pass: Pass, ctx: Ctx): Promise<Next> {
  if (pass.infra.spec.providerID === undefined) {
    await removeFinalizer(pass, ctx)
    return 'done'
  }
  pass.ready = {
    status: 'False',
    reason: 'OwnershipConflict',
    message: `spec.providerID is set, but nothing proves that its instance is ours. Remove the instance by hand where it is yours, then the finalizer of this object.`,
  }
  return { after: 60_000, why: 'the instance behind the providerID is not provably ours' }
}
