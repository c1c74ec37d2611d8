import { refusedAt, type Attempt, type KeptRefusal } from '../../../api/attempt.ts'
import { chosen } from '../../../api/rules/capacity/chosen.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { LaunchPlan } from '../../../providers/cloud.ts'
import { offeringKey } from '../../../api/offering.ts'
import type { Walk } from '../../../api/rules/capacity/tried.ts'
import { walkOf } from '../../../api/rules/capacity/walk.ts'
import { keepAttempt, keepNextAttempt } from '../status/patch.ts'
import type { Pass } from '../pass.ts'

/** Makes the attempt durable. The cloud is called only after this write, and only with this token. */
export async function beginAttempt(pass: Pass, planned: Planned, ctx: Ctx): Promise<Attempt> {
  const { key, ownerId, infraCluster, cloud, deps } = pass
  if (!ownerId || !infraCluster) throw new Error('An attempt was begun for a machine that is not launchable')
  const attempt: Attempt = {
    for: key,
    owner: ownerId,
    n: 1,
    token: deps.newToken(),
    scope: cloud.scopeOf(infraCluster),
    ...frozen(planned),
    startedAt: rfc3339(ctx.clock.now()),
    holder: deps.self,
  }
  await keepAttempt(pass, { attempt }, ctx)
  deps.pendingCreates.wrote(key, attempt.token)
  return attempt
}

/** A launch, and the rung that it is of. 0 is the spec itself. */
export interface Planned {
  readonly plan: LaunchPlan
  readonly rung: number
}

/** It was held back before anything was sent. Its time counts from now, and it keeps its token and place. */
export async function beginAnew(
  pass: Pass,
  { before, planned }: { before: Attempt; planned: Planned },
  ctx: Ctx,
): Promise<Attempt> {
  const attempt: Attempt = { ...before, ...frozen(planned), startedAt: rfc3339(ctx.clock.now()) }
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
 * Only after a definite no to the one before, and when nothing that may be an instance is left of it: a new number, a
 * new token, and another subnet or offering.
 */
export async function nextAttempt(pass: Pass, before: Attempt, { planned, refusal }: Next, ctx: Ctx): Promise<void> {
  const { handle: _, refused: __, ...kept } = before
  const at = refusedAt(before) ?? rfc3339(ctx.clock.now())
  const attempt: Attempt = {
    ...kept,
    ...walked(walkOf({ ...before, refused: { ...refusal, message: '', at } })),
    n: before.n + 1,
    token: pass.deps.newToken(),
    ...frozen(planned),
    startedAt: rfc3339(ctx.clock.now()),
    holder: pass.deps.self,
  }
  await keepNextAttempt(pass, { before: pass.attempt ?? before, attempt }, ctx)
  pass.deps.pendingCreates.wrote(pass.key, attempt.token)
}

export interface Next {
  readonly planned: Planned
  readonly refusal: Pick<KeptRefusal, 'kind' | 'code'>
}

/** What the machine has tried so far. */
function walked({ tried, triedCount, firstRefusedAt, invalid }: Walk): Partial<Attempt> {
  return {
    ...(tried.length > 0 ? { tried, triedCount } : {}),
    ...(firstRefusedAt === undefined ? {} : { firstRefusedAt }),
    ...(invalid.length > 0 ? { invalid } : {}),
  }
}

/** The fields that stay the same for all calls of this attempt. */
function frozen({ plan: { subnet, offering }, rung }: Planned): Pick<Attempt, 'choice' | 'at' | 'offering'> {
  const choice = chosen(offering, subnet, rung)
  return { choice, at: { subnet, zone: offering.zone }, offering: offeringKey(offering) }
}
