import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import type { Ctx } from '../../api/ctx.ts'
import { selects } from '../../api/rules/label-selector.ts'
import { isPaused, type Cluster, type MachineHealthCheck } from '../../api/machine.ts'
import { joinedByGroup } from '../../api/rules/group-facts.ts'
import { factsShown, takenBack } from '../capacity/taken-back.ts'
import { exclusionsOf, isExamined, markersOf } from '../../api/rules/markers.ts'
import { byAge, policyKeyOf, termsOf, wantsHealthCheck } from '../../api/rules/policy.ts'
import type { BackoffGroup } from '../../api/rules/backoff-group.ts'
import { planRemediation, type Decision, type Plan } from '../../api/rules/remediation.ts'
import { admitBatch } from '../../api/rules/batch.ts'
import { soonestRequeue, type Result } from '../runtime/controller/result.ts'
import { keyOf, parseKey } from '../runtime/client/resource.ts'
import type { CapacityMemory } from '../capacity/memory.ts'
import { subjectsOf, type Scene, type Subject } from '../capacity/subjects.ts'
import type { RemediationDeps } from './deps.ts'
import { machinesOf } from './facts.ts'
import { hasSpotMachines, isOurs, keepHealthCheck } from './health-check.ts'
import { missingInfraOf } from './missing-infra.ts'
import { markDeleting, writeMarkers } from './write-markers.ts'
import { reportPolicies } from './policies.ts'
import { collectErrors, type Collect } from './collect-errors.ts'

/**
 * One pass over all Machines of a Cluster: decides which are replaced now and which later. The plan is written to the
 * annotation of the infrastructure cluster before it is written to a Machine.
 */
export async function reconcileRemediation(key: string, deps: RemediationDeps, ctx: Ctx): Promise<Result> {
  const { namespace = '', name } = parseKey(key)
  const cluster = deps.clusters.get(key)
  const isHeld = cluster !== undefined && isPaused(cluster, cluster)
  if (!cluster || isHeld) {
    deps.memory.forgetBackoff(key)
    deps.backoffStore.forget(key)
    deps.memory.retain(key, new Set())
    deps.pools?.look(key, [], ctx.clock.now())
  }
  if (isHeld) return 'done'
  const policies = byAge(deps.policies.by('cluster', key))
  const machines = cluster ? machinesOf(cluster, deps) : []
  const isKept = cluster && hasSpotMachines(cluster) && wantsHealthCheck(machines, policies)
  const { tried, conclude } = collectErrors()
  const kept = await tried(keepHealthCheck({ namespace, name, cluster: isKept ? cluster : undefined }, deps, ctx))
  await tried(reportPolicies({ policies, cluster, machines }, deps.client, ctx))
  const missing = await missingInfraOf({ machines, tried }, deps, ctx)
  const scene = { machines, policies, missingInfra: missing.keys, launchOf: deps.launches.factsOf }
  const stage = { ...scene, cluster, isLookedAt: isExamined(cluster), tried }
  const next = await remediate(key, stage, deps, ctx)
  conclude()
  return soonestRequeue(next, missing.next, kept ?? 'done')
}

interface Stage extends Scene {
  readonly cluster: Cluster | undefined
  /** Whether core's health checks look at the Machines. While they do not, no Machine is marked as due. */
  readonly isLookedAt: boolean
  readonly tried: Collect
}

async function remediate(key: string, stage: Stage, deps: RemediationDeps, ctx: Ctx): Promise<Result> {
  const isRead = await loadBackoff(stage, deps, ctx)
  const now = ctx.clock.now()
  const known = (policyKey: string) => deps.memory.knownGroupsOf({ cluster: key, policyKey })
  const subjects = subjectsOf({ ...stage, known }, deps, now).filter(({ outcome }) => isRead || outcome.is !== 'failed')
  deps.pools?.look(key, subjects, now)
  const candidates = subjects.filter(({ machine }) => machine.metadata.deletionTimestamp === undefined)
  const facts = factsShown(candidates, key)
  deps.memory.record(joinedByGroup(facts, takenBack(subjects, { cluster: key, now })), { cluster: key, now })
  const plans = planByPolicy({ key, candidates, policies: stage.policies, now }, deps.memory)
  deps.launches.look(key, now)
  const isWritten = !isRead || (await saveBackoff(stage, deps, ctx))
  const decisions = new Map([...plans.values()].flatMap((plan) => [...plan.decisions]))
  const others = deps.healthChecks.by('cluster', key).filter((check) => !isOurs(check))
  const markable = subjects.filter(({ outcome }) => isWritten || outcome.is !== 'failed')
  const due = markable.filter(({ key }) => decisions.get(key)?.do === 'replace')
  const batch = stage.isLookedAt ? admitBatch(due) : new Set<string>()
  await inParallel(markable, (subject) =>
    stage.tried(markSubject(subject, { decisions, others, batch, now }, deps, ctx)),
  )
  const times = [...plans.values()].flatMap(({ lookAgainAt = [] }) => lookAgainAt)
  return times.length === 0
    ? 'done'
    : { requeueAfterMs: Math.min(...times) - now, reason: 'a machine may be tried again then' }
}

/** Only a Cluster with failed Machines needs the backoff. False: it could not be read, so failures have to wait. */
async function loadBackoff({ cluster, tried, ...scene }: Stage, deps: RemediationDeps, ctx: Ctx): Promise<boolean> {
  if (!cluster || deps.memory.isLoaded(keyOf(cluster))) return true
  const subjects = subjectsOf(scene, deps, ctx.clock.now())
  if (!subjects.some(({ outcome }) => outcome.is === 'failed')) return true
  return succeeds(tried, deps.launches.load(cluster, ctx))
}

type BackoffGroups = ReadonlyMap<string, BackoffGroup>

interface Planning {
  readonly key: string
  readonly candidates: readonly Subject[]
  readonly policies: readonly InterruptionPolicy[]
  readonly now: number
}

/**
 * One synchronous step from the backoff in memory to the plan in memory, because launches ask the memory too. Each
 * policy has its own plan. A try that one plan begins counts in the next. A policy without machines keeps its
 * backoff: between the only Machine of a MachineDeployment and its replacement there is none.
 */
function planByPolicy({ key, candidates, policies, now }: Planning, memory: CapacityMemory): Map<string, Plan> {
  const remembered = memory.backoffOf(key)
  const plans = new Map<string, Plan>()
  const byPolicy = Map.groupBy(candidates, (subject) => subject.policyKey)
  for (const policyKey of new Set([...byPolicy.keys(), ...remembered.keys()])) {
    const waiter = { cluster: key, policyKey }
    const machines = byPolicy.get(policyKey) ?? []
    const groups: BackoffGroups = remembered.get(policyKey) ?? new Map<string, BackoffGroup>()
    const terms = termsOf(policies.find((policy) => policyKeyOf(policy) === policyKey)?.spec)
    const plan = planRemediation({ now, machines, groups, terms, others: (group) => memory.factsFor(waiter, group) })
    memory.note(waiter, { waitsIn: waitedFor(plan, machines), tries: triesOf(plan, groups, memory.triesOf(waiter)) })
    plans.set(policyKey, plan)
  }
  memory.retain(key, new Set(plans.keys()))
  memory.keepBackoff(key, new Map([...plans].map(([policyKey, { groups }]) => [policyKey, groups])))
  return plans
}

function waitedFor({ decisions }: Plan, machines: readonly Subject[]): Set<string> {
  const waiting = [...decisions.values()].filter((decision) => decision.do === 'wait')
  const unrequested = machines.flatMap(({ outcome }) => (outcome.is === 'waiting' ? outcome.groups : []))
  return new Set([...waiting.map(({ failed }) => failed.group), ...unrequested])
}

/** The tries that this process has begun. Tries that only the annotation names must not delay other Clusters. */
function triesOf({ groups }: Plan, before: BackoffGroups, known: ReadonlyMap<string, number>): Map<string, number> {
  const begun = [...groups].flatMap(([name, { probe }]) => {
    const isOwn = before.get(name)?.probe?.at !== probe?.at || known.get(name) === probe?.at
    return probe && isOwn ? [[name, probe.at] as const] : []
  })
  return new Map(begun)
}

async function saveBackoff({ cluster, tried }: Stage, deps: RemediationDeps, ctx: Ctx): Promise<boolean> {
  if (!cluster) return true
  return succeeds(tried, deps.backoffStore.save(cluster, deps.memory.backoffOf(keyOf(cluster)), ctx))
}

async function succeeds(tried: Collect, step: Promise<void>): Promise<boolean> {
  let isDone = true
  await tried(step, () => (isDone = false))
  return isDone
}

interface Marking {
  /** By key of the Machine. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** Health checks that are not ours. */
  readonly others: readonly MachineHealthCheck[]
  /** The due Machines that may be marked now. */
  readonly batch: ReadonlySet<string>
  readonly now: number
}

async function markSubject(
  subject: Subject,
  { decisions, others, batch, now }: Marking,
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<void> {
  const { key, machine, infra } = subject
  // The cache is older than our last write. The event of that write requeues the Cluster.
  if (!deps.ownWrites.isIn(machine, ctx.clock.monotonic())) return
  if (machine.metadata.deletionTimestamp !== undefined) {
    await markDeleting(machine, exclusionsOf(machine, infra), deps, ctx)
    return
  }
  const decision = decisions.get(key) ?? { do: 'nothing' }
  if (decision.do === 'replace' && !batch.has(key)) return
  const isWatched = others.some(({ spec }) => selects(spec.selector, machine.metadata.labels))
  const markers = markersOf({ ...subject, decision, isWatched, now })
  await writeMarkers(machine, markers, deps, ctx)
}

const atOnce = 16

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
