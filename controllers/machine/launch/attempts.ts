import type { Attempt, KeptRefusal } from '../../../api/attempt.ts'
import { chosen, chosenOf } from '../../../api/rules/capacity/chosen.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { LaunchPlan } from '../../../providers/cloud.ts'
import { offeringKey } from '../../../api/offering.ts'
import { afterTry, untried, type Walk } from '../../../api/rules/capacity/tried.ts'
import { keepAttempt } from '../status/patch.ts'
import type { Pass } from '../pass.ts'

/** Makes the attempt durable. The cloud is called only after this write, and only with this token. */
export async function beginAttempt(pass: Pass, plan: LaunchPlan, ctx: Ctx): Promise<Attempt> {
  const { key, ownerId, infraCluster, cloud, deps } = pass
  if (!ownerId || !infraCluster) throw new Error('An attempt was begun for a machine that is not launchable')
  const attempt: Attempt = {
    for: key,
    owner: ownerId,
    n: 1,
    token: deps.newToken(),
    scope: cloud.scopeOf(infraCluster),
    ...frozen(plan),
    startedAt: rfc3339(ctx.clock.now()),
    holder: deps.self,
  }
  await keepAttempt(pass, { attempt }, ctx)
  deps.pendingCreates.wrote(key, attempt.token)
  return attempt
}

/** It was held back before anything was sent. Its time counts from now, and it keeps its token and place. */
export async function beginAnew(pass: Pass, before: Attempt, ctx: Ctx): Promise<Attempt> {
  const attempt: Attempt = { ...before, startedAt: rfc3339(ctx.clock.now()) }
  await keepAttempt(pass, { attempt }, ctx)
  return attempt
}

/**
 * Called before the token of another process is used. That process may be asleep before a write that ends this attempt
 * and begins another. From now on such a write is refused, because the object has changed since that process read it.
 */
export async function takeOver(pass: Pass, attempt: Attempt, ctx: Ctx): Promise<Attempt> {
  const { self } = pass.deps
  if (attempt.holder === self) return attempt
  const taken: Attempt = { ...attempt, holder: self }
  await keepAttempt(pass, { attempt: taken }, ctx)
  return taken
}

/**
 * Only after a definite no to the one before, of which nothing is left: a new number, a new token, and another subnet.
 */
export async function nextAttempt(pass: Pass, before: Attempt, { plan, refusal }: Next, ctx: Ctx): Promise<void> {
  const { handle: _, refused: _refused, ...kept } = before
  const attempt: Attempt = {
    ...kept,
    ...walkAfter(before, refusal, ctx.clock.now()),
    n: before.n + 1,
    token: pass.deps.newToken(),
    ...frozen(plan),
    startedAt: rfc3339(ctx.clock.now()),
    holder: pass.deps.self,
  }
  await keepAttempt(pass, { attempt, isAnother: true }, ctx)
  pass.deps.pendingCreates.wrote(pass.key, attempt.token)
}

export interface Next {
  readonly plan: LaunchPlan
  readonly refusal: Pick<KeptRefusal, 'kind' | 'code'>
}

/** What the machine has tried so far. */
function walkAfter(before: Attempt, { kind, code }: Next['refusal'], now: number): Partial<Walk> {
  const from = chosenOf(before)
  const { tried, triedCount, firstRefusedAt, invalid } = { ...untried, ...before }
  const walk = { tried, triedCount, invalid, ...(firstRefusedAt === undefined ? {} : { firstRefusedAt }) }
  return from ? afterTry(walk, { offering: from, rung: from.rung, kind, code }, now) : {}
}

/** The fields that stay the same for all calls of this attempt. */
function frozen({ subnet, offering }: LaunchPlan): Pick<Attempt, 'choice' | 'at' | 'offering'> {
  const choice = chosen(offering, subnet, 0)
  return { choice, at: { subnet, zone: offering.zone }, offering: offeringKey(offering) }
}
