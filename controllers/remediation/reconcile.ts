import type { Ctx } from '../../api/ctx.ts'
import { selects } from '../../api/label-selector.ts'
import { isPaused, type MachineHealthCheck } from '../../api/machine.ts'
import { exclusionsOf, isExamined, marksOf, offeringInWords } from '../../api/rules/marks.ts'
import { byAge, wantsHealthCheck } from '../../api/rules/policy.ts'
import { planRemediation, type Plan } from '../../api/rules/remediation.ts'
import { inTurn } from '../../api/rules/turns.ts'
import { soonest, type Next } from '../runtime/next.ts'
import { parseKey } from '../runtime/resource.ts'
import type { RemediationDeps } from './deps.ts'
import { machinesOf, subjectsOf, type Scene, type Subject } from './facts.ts'
import { hasSpotMachines, isOurs, keepHealthCheck } from './health-check.ts'
import { lostOf } from './lost.ts'
import { excuse, mark } from './mark.ts'
import { tellPolicies } from './policies.ts'
import { beginTrial, type Tried } from './tried.ts'

/**
 * One pass over all Machines of a Cluster: who of them fail, who is replaced now, who later. What is planned stands in
 * the owners' annotations before it stands on a Machine.
 */
export async function reconcileRemediation(key: string, deps: RemediationDeps, ctx: Ctx): Promise<Next> {
  const { namespace = '', name } = parseKey(key)
  const cluster = deps.clusters.get(key)
  const isHeld = cluster !== undefined && isPaused(cluster, cluster)
  if (!cluster || isHeld) deps.ledgers.forget(key)
  if (isHeld) return 'done'
  const policies = byAge(deps.policies.by('cluster', key))
  const machines = cluster ? machinesOf(cluster, deps) : []
  const isKept = cluster && hasSpotMachines(cluster) && wantsHealthCheck(machines, policies)
  const { tried, conclude } = beginTrial()
  await tried(keepHealthCheck({ namespace, name, cluster: isKept ? cluster : undefined }, deps, ctx))
  await tried(tellPolicies({ policies, cluster, machines }, deps.client, ctx))
  const lost = await lostOf({ machines, tried }, deps, ctx)
  const stage = { machines, policies, lost: lost.keys, isLookedAt: isExamined(cluster), tried }
  const next = await remediate(key, stage, deps, ctx)
  conclude()
  return soonest(next, lost.next)
}

interface Stage extends Scene {
  /** By core's health checks; while not, nobody is told that a Machine is due. */
  readonly isLookedAt: boolean
  readonly tried: Tried
}

async function remediate(key: string, stage: Stage, deps: RemediationDeps, ctx: Ctx): Promise<Next> {
  const { isLookedAt, tried } = stage
  const unread = await readLedgers(key, stage, deps, ctx)
  const now = ctx.clock.now()
  const subjects = subjectsOf(stage, deps, now).filter((subject) => !restsOn(subject, unread))
  const candidates = subjects.filter(({ machine }) => machine.metadata.deletionTimestamp === undefined)
  const plan = planRemediation({ now, machines: candidates, lanes: deps.memory.lanes })
  deps.memory.keep(plan.lanes, { who: key, waitsIn: waitedFor(plan), now })
  const unwritten = await keepLedgers(key, { subjects: candidates, plan, tried }, deps, ctx)
  const others = deps.healthChecks.by('cluster', key).filter((check) => !isOurs(check))
  const markable = subjects.filter((subject) => !restsOn(subject, unwritten))
  const due = markable.filter(({ key }) => plan.decisions.get(key)?.do === 'replace')
  const marking = { plan, others, turns: isLookedAt ? inTurn(due) : new Set<string>(), now }
  await inParallel(markable, (subject) => tried(markSubject(subject, marking, deps, ctx)))
  const { lookAgainAt } = plan
  return lookAgainAt === undefined ? 'done' : { after: lookAgainAt - now, why: 'a machine may be tried again then' }
}

/** What is remembered of its owner decides about it. */
function restsOn({ outcome, owner }: Subject, owners: ReadonlySet<string>): boolean {
  return outcome.is === 'failed' && owners.has(owner)
}

/** Answers with the owners that could not be read. */
async function readLedgers(
  cluster: string,
  { tried, ...scene }: Stage,
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<Set<string>> {
  const unread = new Set<string>()
  const subjects = subjectsOf(scene, deps, ctx.clock.now())
  deps.ledgers.retain(cluster, new Set(subjects.map(({ owner }) => owner)))
  for (const { owner, terms, outcome } of subjects) {
    if (outcome.is !== 'failed' || unread.has(owner)) continue
    const read = deps.ledgers.read({ owner, cluster }, terms, ctx).then((lanes) => deps.memory.absorb(lanes))
    await tried(read, () => unread.add(owner))
  }
  return unread
}

function waitedFor({ decisions }: Plan): Set<string> {
  const waiting = [...decisions.values()].filter((decision) => decision.do === 'wait')
  return new Set(waiting.map(({ failed }) => failed.lane))
}

/**
 * To each owner the lanes of its machines that fail, those that one of its machines tries, and what it has already.
 * Answers with the owners that could not be written.
 */
async function keepLedgers(
  cluster: string,
  { subjects, plan: { lanes }, tried }: { subjects: readonly Subject[]; plan: Plan; tried: Tried },
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<Set<string>> {
  const unwritten = new Set<string>()
  for (const [owner, members] of Map.groupBy(subjects, (subject) => subject.owner)) {
    const failing = members.flatMap(({ outcome }) => (outcome.is === 'failed' ? outcome.lane : []))
    const known = deps.ledgers.namesOf(owner)
    if (failing.length === 0 && known.length === 0) continue
    const names = new Set([...failing, ...known])
    const kept = new Map([...lanes].filter(([name]) => names.has(name)))
    await tried(deps.ledgers.write({ owner, cluster }, kept, ctx), () => unwritten.add(owner))
  }
  return unwritten
}

interface Marking {
  readonly plan: Plan
  /** Health checks that are not ours. */
  readonly others: readonly MachineHealthCheck[]
  /** Of those that are due, who may be told so now. */
  readonly turns: ReadonlySet<string>
  readonly now: number
}

async function markSubject(
  subject: Subject,
  { plan, others, turns, now }: Marking,
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<void> {
  const { key, machine, infra, pool } = subject
  // What the cache shows is older than our own last write: that comes, and wakes us.
  if (!deps.ownWrites.isIn(machine, ctx.clock.monotonic())) return
  if (machine.metadata.deletionTimestamp !== undefined) {
    await excuse(machine, exclusionsOf(machine, infra), deps, ctx)
    return
  }
  const decision = plan.decisions.get(key) ?? { do: 'nothing' }
  if (decision.do === 'replace' && !turns.has(key)) return
  const isWatched = others.some(({ spec }) => selects(spec.selector, machine.metadata.labels))
  const marks = marksOf({ ...subject, decision, isWatched, offering: offeringInWords(pool), now })
  await mark(machine, marks, deps, ctx)
}

const atOnce = 16

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
