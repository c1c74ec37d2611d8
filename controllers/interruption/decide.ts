import { readAttempt } from '../../api/attempt.ts'
import { writeInterruption, type Interruption } from '../../api/interruption.ts'
import type { Ctx } from '../../api/ctx.ts'
import { machines } from '../../api/kinds.ts'
import { core, requests } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import type { Notice } from '../../api/notice.ts'
import type { EventReason } from '../../api/reasons.ts'
import { beginsInterruption, noticeResultOf, type NoticeResult } from '../../api/rules/interruption/announced.ts'
import { controllingMachineSet } from '../../api/rules/interruption/interrupted-machine.ts'
import { inWords } from '../../api/rules/interruption/in-words.ts'
import { onNotice } from '../../api/rules/interruption/on-notice.ts'
import { noticeTermsOf } from '../../api/rules/policy.ts'
import type { InterruptionDeps } from './deps.ts'
import { interruptionOf, isOver, machineSetNow, policyOf, type Scene } from './scene.ts'

/**
 * Decides about the notice of this Machine and writes the decision, with the hook where the drain is to wait. That is
 * the one durable write: from here on every process acts on what stands there. Returns the Machine as it stands now.
 */
export async function decide(scene: Scene, notice: Notice, deps: InterruptionDeps, ctx: Ctx): Promise<Machine> {
  const { machine, instance } = scene
  const hasEnded = isOver(scene)
  const facts = factsOf(scene, deps)
  const isAboutIt = notice.instance === instance && !hasEnded
  const decided = isAboutIt ? onNotice({ ...facts, notice, now: ctx.clock.now() }) : undefined
  const written = decided ? await write(machine, decided, deps, ctx) : machine
  const { before } = facts
  count(scene, notice, noticeResultOf({ notice, instance, hasEnded, before, decided }), deps)
  if (decided) report(scene, { notice, decided, before }, deps, ctx)
  return written
}

function factsOf(scene: Scene, deps: InterruptionDeps) {
  const { key, machine, cluster, runningSince } = scene
  const before = interruptionOf(scene)
  const terms = noticeTermsOf(policyOf(machine, deps)?.spec)
  // After the detach the MachineSet stands in the decision alone.
  const name = controllingMachineSet(machine) ?? before?.machineSet
  const machineSet = machineSetNow(machine.metadata.namespace, name, deps)
  return { key, machine, cluster, runningSince, terms, machineSet, before }
}

async function write(machine: Machine, interruption: Interruption, deps: InterruptionDeps, ctx: Ctx): Promise<Machine> {
  const { namespace, name, uid, deletionTimestamp, annotations: noted = {} } = machine.metadata
  const isHooked = interruption.drain === 'WhenReplaced' && deletionTimestamp === undefined
  const annotations = {
    ...writeInterruption(interruption),
    ...(isHooked ? { [core.preDrainHook]: 'cluster-api-provider-spot' } : {}),
    ...(requests.rehearse in noted ? { [requests.rehearse]: null } : {}),
  }
  const patch = { metadata: { uid, annotations } }
  const written = await deps.client.mergePatch<Machine>(machines, { namespace, name }, { patch }, ctx)
  deps.ownWrites.note(written, ctx.clock.monotonic())
  return written
}

function count({ infra }: Scene, notice: Notice, result: NoticeResult, { series }: InterruptionDeps): void {
  const reading = infra && readAttempt(infra)
  if (reading?.is === 'ours') series.notice(reading.attempt.scope.cloud, notice, result)
}

interface Reported {
  readonly notice: Notice
  readonly decided: Interruption
  readonly before: Interruption | undefined
}

function report({ infra, key }: Scene, { notice, decided, before }: Reported, deps: InterruptionDeps, ctx: Ctx): void {
  const { instance, kind, source, deadline, act, because } = decided
  ctx.log.info('Notice of an interruption', { Machine: key, instance, kind, source, deadline, act, because })
  deps.series.passed('recorded', Math.max(0, ctx.clock.now() - notice.at) / 1000)
  if (!infra) return
  if (beginsInterruption(before, decided)) deps.series.announced(infra)
  const reason: EventReason = 'InterruptionNotice'
  deps.recorder.event({ object: infra, type: 'Warning', reason, message: inWords(decided) }, ctx)
}
