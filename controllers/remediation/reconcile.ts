import type { Ctx } from '../../api/ctx.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { selects } from '../../api/label-selector.ts'
import { isPaused, type Machine, type MachineHealthCheck } from '../../api/machine.ts'
import { exclusionsOf, isExamined, marksOf, offeringInWords } from '../../api/rules/marks.ts'
import { byAge, wantsHealthCheck } from '../../api/rules/policy.ts'
import { planRemediation, type Plan } from '../../api/rules/remediation.ts'
import type { Next } from '../runtime/next.ts'
import { parseKey } from '../runtime/resource.ts'
import type { RemediationDeps } from './deps.ts'
import { machinesOf, subjectsOf, type Subject } from './facts.ts'
import { hasSpotMachines, isOurs, keepHealthCheck } from './health-check.ts'
import { excuse, mark } from './mark.ts'
import { tellPolicies } from './policies.ts'

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
  const isKept = cluster && hasSpotMachines(cluster) && wantsHealthCheck(policies)
  const failures: unknown[] = []
  const tried = (step: Promise<void>) => step.catch((thrown: unknown) => void failures.push(thrown))
  await tried(keepHealthCheck({ namespace, name, cluster: isKept ? cluster : undefined }, deps, ctx))
  await tried(tellPolicies({ policies, cluster, machines }, deps.client, ctx))
  const isLookedAt = isExamined(cluster)
  const next = await remediate(key, { machines, policies, isLookedAt, tried }, deps, ctx)
  if (failures.length > 1) throw new AggregateError(failures, 'Several writes of the pass failed')
  if (failures.length === 1) throw failures[0]
  return next
}

interface Scene {
  readonly machines: readonly Machine[]
  readonly policies: readonly InterruptionPolicy[]
  /** By core's health checks; while not, nobody is told that a Machine is due. */
  readonly isLookedAt: boolean
  /** Goes on with the other machines when one fails. */
  readonly tried: (step: Promise<void>) => Promise<void>
}

async function remediate(key: string, scene: Scene, deps: RemediationDeps, ctx: Ctx): Promise<Next> {
  const { machines, policies, isLookedAt, tried } = scene
  for (const { owner, terms, outcome } of subjectsOf(machines, policies, deps, ctx.clock.now())) {
    if (outcome.is === 'failed') deps.memory.absorb(await deps.ledgers.read({ owner, cluster: key }, terms, ctx))
  }
  const now = ctx.clock.now()
  const subjects = subjectsOf(machines, policies, deps, now)
  const candidates = subjects.filter(({ machine }) => machine.metadata.deletionTimestamp === undefined)
  const plan = planRemediation({ now, machines: candidates, lanes: deps.memory.lanes })
  deps.memory.keep(plan.lanes, { who: key, waitsIn: waitedFor(plan), now })
  await keepLedgers(key, { subjects: candidates, plan }, deps, ctx)
  const others = deps.healthChecks.by('cluster', key).filter((check) => !isOurs(check))
  await inParallel(subjects, (subject) => tried(markSubject(subject, { plan, others, isLookedAt }, deps, ctx)))
  const { lookAgainAt } = plan
  return lookAgainAt === undefined ? 'done' : { after: lookAgainAt - now, why: 'a machine may be tried again then' }
}

function waitedFor({ decisions }: Plan): Set<string> {
  const waiting = [...decisions.values()].filter((decision) => decision.do === 'wait')
  return new Set(waiting.map(({ failed }) => failed.lane))
}

/** To each owner the lanes of its machines that fail, those that one of its machines tries, and what it has already. */
async function keepLedgers(
  cluster: string,
  { subjects, plan: { lanes } }: { subjects: readonly Subject[]; plan: Plan },
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<void> {
  for (const [owner, members] of Map.groupBy(subjects, (subject) => subject.owner)) {
    const failing = members.flatMap(({ outcome }) => (outcome.is === 'failed' ? outcome.lane : []))
    const known = deps.ledgers.namesOf(owner)
    if (failing.length === 0 && known.length === 0) continue
    const names = new Set([...failing, ...known])
    await deps.ledgers.write({ owner, cluster }, new Map([...lanes].filter(([name]) => names.has(name))), ctx)
  }
}

async function markSubject(
  { key, machine, infra, outcome, pool }: Subject,
  { plan, others, isLookedAt }: { plan: Plan; others: readonly MachineHealthCheck[]; isLookedAt: boolean },
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<void> {
  // What the cache shows is older than our own last write: that comes, and wakes us.
  if (!deps.ownWrites.isIn(machine, ctx.clock.monotonic())) return
  if (machine.metadata.deletionTimestamp !== undefined) {
    await excuse(machine, exclusionsOf(infra), deps, ctx)
    return
  }
  const decision = plan.decisions.get(key) ?? { do: 'nothing' }
  if (decision.do === 'replace' && !isLookedAt) return
  const isWatched = others.some(({ spec }) => selects(spec.selector, machine.metadata.labels))
  const marks = marksOf({ machine, infra, outcome, decision, isWatched, offering: offeringInWords(pool) })
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
