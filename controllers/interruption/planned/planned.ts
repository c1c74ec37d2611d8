import { timeOf } from '../../../api/conditions.ts'
import { isPlanned, type Notice, type NoticeKind } from '../../../api/notice.ts'
import { isMortal, lifetimeOf, type Lifetime } from '../../../api/rules/interruption/lifetime.ts'
import { actFor } from '../../../api/rules/interruption/notice-acts.ts'
import { looksAgainAt, type DecisionFacts } from '../../../api/rules/interruption/on-notice.ts'
import { controllingMachineSet } from '../../../api/rules/interruption/interrupted-machine.ts'
import { lifetimeTermsOf, noticeTermsOf, termsOf } from '../../../api/rules/policy.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { Machine } from '../../../api/machine.ts'
import { groupNamesOf } from '../../capacity/group-names.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { infraOf } from '../../shared/infra-of.ts'
import type { InterruptionDeps } from '../deps.ts'
import { interruptionOf, isOver, machineSetNow, policyOf, type Scene } from '../scene.ts'
import { isWithdrawn } from '../withdrawal/withdrawn.ts'

/** A lifetime may be years long, and a clock may be set. */
const longestSleepMs = 60 * 60_000
/** Between the decision and this look its turn has come. */
const atOnceMs = 1_000

/** What decides about a notice of this kind. */
export function factsOf(scene: Scene, kind: NoticeKind, deps: InterruptionDeps, { clock }: Ctx): DecisionFacts {
  const { key, machine, cluster, runningSince } = scene
  const before = interruptionOf(scene)
  const spec = policyOf(machine, deps)?.spec
  // After the detach the MachineSet stands in the decision alone.
  const name = controllingMachineSet(machine) ?? before?.machineSet
  const machineSet = machineSetNow(machine.metadata.namespace, name, deps)
  const terms = noticeTermsOf(spec)
  // In a storm of notices each would count all others.
  const isCounted = isPlanned(kind) || terms.maxAhead !== undefined
  const ahead = isCounted ? deps.ahead.beside(machine, clock.monotonic()) : none
  const { offering, price, quota, launch, node } = groupNamesOf(scene)
  const groups = [offering, price, quota, launch, node].filter((name) => name !== undefined)
  const clusterKey = `${machine.metadata.namespace}/${machine.spec.clusterName}`
  const shutUntil = deps.capacity.shutUntil(clusterKey, groups, termsOf(spec).maxMs)
  return { key, machine, cluster, runningSince, terms, machineSet, before, ahead, shutUntil, now: clock.now() }
}

const none = { count: 0, isBusy: false } as const

/** Whether the life of its instance has an end, by its policy or by its cloud. */
export function isMortalMachine(machine: Machine, deps: InterruptionDeps): boolean {
  return isMortal(infraOf(machine, deps), lifetimeTermsOf(policyOf(machine, deps)?.spec))
}

/** What is planned for the Machine and has not begun: a notice that waits for its turn, or the end of its lifetime. */
export function plannedFor(scene: Scene, deps: InterruptionDeps, now: number): Notice | undefined {
  const { instance } = scene
  const decided = interruptionOf(scene)
  if (instance === undefined || isSettled(scene) || isCalledOff(scene, deps, now)) return undefined
  if (decided?.isWaiting && decided.source !== 'Clock') {
    const { kind, source } = decided
    return { instance, kind, source, at: now, ...deadlineAt(timeOf(decided.deadline)) }
  }
  const lifetime = lifetimeFor(scene, deps)
  if (!lifetime || now < lifetime.dueAt) return undefined
  return { instance, kind: 'Lifetime', source: 'Clock', at: now, ...deadlineAt(lifetime.deadline) }
}

/** Its source has taken the notice back, or its policy lets it stay. */
export function isCalledOff(scene: Scene, deps: InterruptionDeps, now: number): boolean {
  const decided = interruptionOf(scene)
  if (!decided) return false
  if (isWithdrawn(scene, decided, deps)) return true
  if (!decided.isWaiting || !isPlanned(decided.kind)) return false
  if (decided.source !== 'Clock')
    return actFor(decided.kind, noticeTermsOf(policyOf(scene.machine, deps)?.spec)) === undefined
  const lifetime = lifetimeFor(scene, deps)
  return !lifetime || now < lifetime.dueAt
}

/** When the Machine is looked at again because of what is planned for it. */
export function nextTurn(scene: Scene, deps: InterruptionDeps, ctx: Ctx): Result {
  const now = ctx.clock.now()
  const planned = plannedFor(scene, deps, now)
  if (planned) {
    const lookAt = looksAgainAt(factsOf(scene, planned.kind, deps, ctx)) ?? waitsStill(scene, now)
    return lookAt === undefined ? 'done' : { requeueAfterMs: lookAt - now, reason: 'its turn may have come then' }
  }
  const dueAt = isSettled(scene) ? undefined : lifetimeFor(scene, deps)?.dueAt
  if (dueAt === undefined || dueAt <= now) return 'done'
  return { requeueAfterMs: Math.min(longestSleepMs, dueAt - now), reason: 'its instance has run long enough then' }
}

function waitsStill(scene: Scene, now: number): number | undefined {
  return interruptionOf(scene)?.isWaiting ? now + atOnceMs : undefined
}

/** It goes already, so nothing more is planned for it. */
function isSettled(scene: Scene): boolean {
  const act = interruptionOf(scene)?.act
  const isReplaced = act === 'Delete' || act === 'Remediate'
  return isReplaced || isOver(scene) || scene.machine.metadata.deletionTimestamp !== undefined
}

function lifetimeFor({ key, machine, infra, runningSince }: Scene, deps: InterruptionDeps): Lifetime | undefined {
  if (!infra || runningSince === undefined) return undefined
  return lifetimeOf({ key, infra, runningSince, terms: lifetimeTermsOf(policyOf(machine, deps)?.spec) })
}

function deadlineAt(deadline: number | undefined): Pick<Notice, 'deadline'> {
  return deadline === undefined ? {} : { deadline }
}
