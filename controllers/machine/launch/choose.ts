import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { timeOf } from '../../../api/conditions.ts'
import { offeringKey, type Offering } from '../../../api/offering.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { pauseMs, type BackoffTerms } from '../../../api/rules/backoff-group.ts'
import { chooseOffering, type Choice, type RungOfferings } from '../../../api/rules/capacity/choice.ts'
import { couldAskAt } from '../../../api/rules/capacity/patience.ts'
import { rungsOf } from '../../../api/rules/capacity/rung.ts'
import { mostTried, type Tried, type Walk } from '../../../api/rules/capacity/tried.ts'
import type { LaunchPlan, Wanted } from '../../../providers/cloud.ts'
import { refuseOtherAccount } from '../../../providers/shared/account.ts'
import type { Asking } from '../../capacity/claims.ts'
import { fallbackOf } from '../../capacity/fallback.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import { lookupBackoffKey } from './lookup-backoff.ts'
import type { Pass } from '../pass.ts'
import type { Planned } from './attempts.ts'
import { shareOf } from './share.ts'
import { askingOf, waitForAny } from './turn.ts'
import { wantedBy } from './wanted.ts'

export type Chosen =
  | { readonly is: 'planned'; readonly planned: Planned; readonly asking: Asking | undefined }
  | { readonly is: 'waiting'; readonly next: Result }
  /** No rung can ever work for this machine. */
  | { readonly is: 'hopeless'; readonly because: CloudError }

export interface Before {
  readonly walk: Walk
  /** The subnets that were full a moment ago. */
  readonly exclude?: readonly string[]
  /** Says why, when no rung can work any more. */
  readonly refusal?: CloudError
}

/**
 * Chooses among all that a machine with `fallback` may ask for, claims it, and plans its launch. The claim ends when
 * there is no plan.
 */
export async function choosePlan(pass: Pass, before: Before, ctx: Ctx): Promise<Chosen> {
  const { cluster, cloud, deps, home } = pass
  const wanted = wantedBy(pass)
  if (!wanted) return { is: 'waiting', next: 'done' }
  const { at: _, choice: __, exclude: ___, ...anew } = wanted
  const listed = await listRungs(pass, anew, ctx)
  // The lists may rest on old look-ups, with other credentials.
  if (!pass.attempt && home) refuseOtherAccount(home.account, await cloud.accountOf(home, ctx))
  if (cluster) await deps.launches.load(cluster, ctx)
  const chosen = await firstPlan(pass, { ...listed, ...before, anew }, ctx)
  if (chosen.is !== 'hopeless') deps.backoff.clear(lookupBackoffKey(pass))
  return chosen
}

interface Listed {
  readonly rungs: readonly RungOfferings[]
  /** Why one of them can never work. */
  readonly obstacle: CloudError | undefined
}

/** What exists, by the specs and the catalogue of the cloud. Whether there is capacity is not asked. */
async function listRungs(pass: Pass, anew: Wanted, ctx: Ctx): Promise<Listed> {
  const { offerings } = pass.cloud
  const own = await offerings.own(anew, ctx)
  let obstacle: CloudError | undefined
  const rungs: RungOfferings[] = []
  for (const rung of rungsOf(own, fallbackOf(pass.infra))) {
    try {
      rungs.push({ rung, offerings: await offerings.of(anew, rung, ctx) })
    } catch (thrown) {
      if (!isInvalid(thrown)) throw thrown
      obstacle ??= thrown
      rungs.push({ rung, offerings: [] })
    }
  }
  return { rungs, obstacle }
}

interface Choosing extends Listed, Before {
  readonly anew: Wanted
}

/** A zone whose subnets are full, and a rung that cannot be planned, are left out, and it chooses again. */
async function firstPlan(pass: Pass, choosing: Choosing, ctx: Ctx): Promise<Chosen> {
  const { anew, exclude = [], refusal } = choosing
  const full = new Set<string>()
  let { rungs, obstacle } = choosing
  for (;;) {
    const { choice, asking, next } = claim(pass, { ...choosing, rungs, full }, ctx)
    if (choice.do === 'fail') return { is: 'hopeless', because: refusal ?? obstacle ?? nothingToAsk }
    if (choice.do === 'wait') return { is: 'waiting', next }
    const { rung, offering } = choice
    const plan = await planOf(pass, { ...anew, exclude, choice: { rung, ...offering } }, ctx)
    if (!(plan instanceof CloudError)) return { is: 'planned', planned: { plan, rung }, asking }
    if (plan.kind === 'subnet') full.add(offering.zone)
    else rungs = rungs.filter((one) => one.rung.index !== rung)
    obstacle ??= plan
  }
}

/** Or why it cannot be planned at all, which leads on to another choice. The claim ends without a plan. */
async function planOf({ cloud, deps, machine }: Pass, wanted: Wanted, ctx: Ctx): Promise<LaunchPlan | CloudError> {
  try {
    return await cloud.plan(wanted, ctx)
  } catch (thrown) {
    if (machine) deps.launches.end(keyOf(machine))
    if (thrown instanceof CloudError && (thrown.kind === 'subnet' || thrown.kind === 'invalid')) return thrown
    throw thrown
  }
}

const nothingToAsk = new CloudError('invalid', {
  code: 'NoOffering',
  message: 'Neither the spec nor its fallback names anything that this machine may ask for.',
})

interface ToClaim extends Choosing {
  /** Zones in which no subnet has room. */
  readonly full: ReadonlySet<string>
}

/** Nothing is awaited in here, or two machines would be the one probe, or the same one on demand. */
function claim(
  pass: Pass,
  { rungs: all, walk, full }: ToClaim,
  ctx: Ctx,
): { readonly choice: Choice; readonly asking: Asking | undefined; readonly next: Result } {
  const { deps, machine } = pass
  const now = ctx.clock.now()
  const terms = deps.launches.termsFor(pass)
  const restMs = terms.initialMs
  const closed: Asking[] = []
  const order = orderOf(all)
  const memory = (offering: Offering) => {
    const asking = askingOf(pass, offering)
    const until = aloneUntil(
      { walk, offering, order, terms, isFull: full.has(offering.zone), isHeld: asking !== undefined },
      now,
    )
    if (until > now) return { is: 'closed', until } as const
    if (!asking) return { is: 'open' } as const
    const standing = deps.launches.standingOf(asking, now)
    if (standing.is === 'closed') closed.push(asking)
    return standing
  }
  // A full subnet says nothing about the offering.
  const tried = walk.tried.filter(({ kind }) => kind !== 'subnet')
  const refusedAt = timeOf(walk.firstRefusedAt) ?? Infinity
  // A time to come is of another clock. With it `after` would begin again in every pass.
  const since = refusedAt <= now ? refusedAt : machine ? couldAskAt(machine) : now
  const { rungs, wanted, countsAs } = shareOf(pass, { rungs: all, walk })
  const choice = chooseOffering({ rungs, walk: { ...walk, tried }, memory, since, now, restMs, ...wanted })
  if (choice.do === 'ask') {
    const asking = askingOf(pass, choice.offering)
    if (asking) deps.launches.enter(asking, now)
    return { choice, asking, next: 'done' }
  }
  const until = choice.do === 'wait' && choice.until !== undefined ? choice.until : now + restMs
  const [asking = firstOf(pass, rungs), ...others] = closed
  const isTimed = closed.length === 0
  if (asking) deps.launches.wait({ asking, others, until, isTimed, ...countsAs }, now)
  return { choice, asking, next: choice.do === 'wait' ? waitForAny(pass, until, now) : 'done' }
}

interface Alone {
  readonly walk: Walk
  readonly offering: Offering
  /** Of all that it may ask for, by key. */
  readonly order: ReadonlyMap<string, number>
  readonly terms: BackoffTerms
  /** No subnet of its zone has room. */
  readonly isFull: boolean
  /** Closed groups hold it. They hold no control plane. */
  readonly isHeld: boolean
}

/**
 * A full subnet and an empty reservation close no group. So each machine has pauses of its own for these, and one that
 * no group holds has them for all.
 */
function aloneUntil({ walk, offering, order, terms, isFull, isHeld }: Alone, now: number): number {
  const kinds: readonly RefusalKind[] = isFull ? ['subnet', 'reservation'] : ['reservation']
  const isMeant = ({ kind }: Tried) => kinds.includes(kind) || (!isHeld && kind !== 'subnet')
  // A time to come is of another clock. With the present one for it, the wait would begin again in every pass.
  const meant = walk.tried.filter((one) => isMeant(one) && (timeOf(one.at) ?? 0) <= now)
  const times = meant.filter((one) => one.offering === offeringKey(offering))
  const last = timeOf(times.at(-1)?.at)
  const own = last === undefined ? 0 : last + pauseMs(times.length, terms)
  // Where groups hold most of what it asks for, they open as others get it, in no order.
  const isInOrder = !isHeld || meant.length === mostTried
  const round = isInOrder ? roundUntil({ newest: meant.at(-1), walk, offering, order, terms }) : 0
  const until = Math.max(own, round)
  // The plan has just found it full again: it must not be chosen a second time in this pass.
  return isFull && until <= now ? now + terms.initialMs : until
}

type Round = Pick<Alone, 'walk' | 'offering' | 'order' | 'terms'> & { readonly newest: Tried | undefined }

/**
 * A machine may ask for more than it remembers refusals of. It asks for all in order then, and begins again after a
 * pause. With what it remembers alone it would ask for the first again and again, and never for the last.
 */
function roundUntil({ newest, walk, offering, order, terms }: Round): number {
  const at = timeOf(newest?.at)
  const place = order.get(newest?.offering ?? '')
  if (order.size <= mostTried || at === undefined || place === undefined) return 0
  const isAsked = (order.get(offeringKey(offering)) ?? 0) <= place
  const rounds = Math.max(1, Math.floor(walk.triedCount / order.size))
  return isAsked ? at + pauseMs(rounds, terms) : 0
}

function orderOf(rungs: readonly RungOfferings[]): ReadonlyMap<string, number> {
  const keys = new Set(rungs.flatMap(({ offerings }) => offerings.map(offeringKey)))
  return new Map([...keys].map((key, place) => [key, place]))
}

function firstOf(pass: Pass, rungs: readonly RungOfferings[]): Asking | undefined {
  const [offering] = rungs.flatMap(({ offerings }) => offerings)
  return offering && askingOf(pass, offering)
}

function isInvalid(thrown: unknown): thrown is CloudError {
  return thrown instanceof CloudError && thrown.kind === 'invalid'
}

/** Nothing of its token can exist, so what it asks for may still change. */
export function isStillFree({ attempt, deps, key }: Pass): boolean {
  return !attempt || (attempt.holder === deps.self && deps.pendingCreates.isUnsent(key, attempt.token))
}
