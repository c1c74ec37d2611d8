import { readAttempt } from '../../api/attempt.ts'
import { writeInterruption, type Interruption } from '../../api/interruption.ts'
import type { Ctx } from '../../api/ctx.ts'
import { machines } from '../../api/kinds.ts'
import { core, requests } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import { isPlanned, type Notice } from '../../api/notice.ts'
import type { EventReason } from '../../api/reasons.ts'
import { beginsInterruption, noticeResultOf, type NoticeResult } from '../../api/rules/interruption/announced.ts'
import { inWords } from '../../api/rules/interruption/in-words.ts'
import { onNotice, type DecisionFacts } from '../../api/rules/interruption/on-notice.ts'
import { isDefinite } from '../runtime/client/api-error.ts'
import type { DecisionDeps } from './deps.ts'
import { factsOf } from './planned/planned.ts'
import { isOver, type Scene } from './scene.ts'

/**
 * Decides about the notice of this Machine and writes the decision, with the hook where the drain is to wait. That is
 * the one durable write: from here on every process acts on what stands there. Returns the Machine as it stands now.
 */
export async function decide(scene: Scene, notice: Notice, deps: DecisionDeps, ctx: Ctx): Promise<Machine> {
  const { machine, instance } = scene
  const hasEnded = isOver(scene)
  const facts = factsOf(scene, notice.kind, deps, ctx)
  const { before } = facts
  const isAboutIt = notice.instance === instance && !hasEnded
  const decided = isAboutIt ? onNotice({ ...facts, notice }) : undefined
  const written = decided ? await taken(facts, decided, deps, ctx) : machine
  count(scene, notice, noticeResultOf({ notice, instance, hasEnded, before, decided }), deps)
  if (decided) {
    deps.recorded(written, Math.max(0, ctx.clock.now() - notice.at) / 1000)
    report(scene, { decided, before }, deps, ctx)
  }
  return written
}

/** The same for what was planned and has waited. Nobody has given another notice, so none is counted. */
export async function decidePlanned(scene: Scene, notice: Notice, deps: DecisionDeps, ctx: Ctx): Promise<Machine> {
  const facts = factsOf(scene, notice.kind, deps, ctx)
  const { before } = facts
  const decided = onNotice({ ...facts, notice })
  if (!decided) return scene.machine
  const written = await taken(facts, decided, deps, ctx)
  if (!before) count(scene, notice, 'recorded', deps)
  report(scene, { decided, before }, deps, ctx)
  return written
}

/** Writes the decision. Until the cache shows it, those that may not begin beside it are told by `deps.ahead`. */
async function taken(
  { machine, terms }: DecisionFacts,
  decided: Interruption,
  deps: DecisionDeps,
  ctx: Ctx,
): Promise<Machine> {
  const planned = isPlanned(decided.kind)
  if (!decided.isAhead || (!planned && terms.maxAhead === undefined)) return write(machine, decided, deps, ctx)
  deps.ahead.begin(machine, planned, ctx.clock.monotonic())
  try {
    const written = await write(machine, decided, deps, ctx)
    deps.ahead.confirm(machine)
    return written
  } catch (thrown) {
    if (isDefinite(thrown)) deps.ahead.refused(machine)
    throw thrown
  }
}

async function write(machine: Machine, interruption: Interruption, deps: DecisionDeps, ctx: Ctx): Promise<Machine> {
  const { namespace, name, uid, resourceVersion, deletionTimestamp, annotations: noted = {} } = machine.metadata
  const isHooked = interruption.drain === 'WhenReplaced' && deletionTimestamp === undefined
  const annotations = {
    ...writeInterruption(interruption),
    ...(isHooked ? { [core.preDrainHook]: 'cluster-api-provider-spot' } : {}),
    ...(requests.rehearse in noted ? { [requests.rehearse]: null } : {}),
  }
  // A notice is urgent, and core writes all the time. What is planned can wait for a newer copy, which may be paused.
  const version = isPlanned(interruption.kind) ? { resourceVersion } : {}
  const patch = { metadata: { uid, ...version, annotations } }
  const written = await deps.client.mergePatch<Machine>(machines, { namespace, name }, { patch }, ctx)
  deps.ownWrites.note(written, ctx.clock.monotonic())
  return written
}

function count({ infra }: Scene, notice: Notice, result: NoticeResult, { series }: DecisionDeps): void {
  const reading = infra && readAttempt(infra)
  if (reading?.is === 'ours') series.notice(reading.attempt.scope.cloud, notice, result)
}

interface Reported {
  readonly decided: Interruption
  readonly before: Interruption | undefined
}

function report({ infra, key }: Scene, { decided, before }: Reported, deps: DecisionDeps, ctx: Ctx): void {
  const { instance, kind, source, deadline, act, because } = decided
  ctx.log.info('Notice of an interruption', { Machine: key, instance, kind, source, deadline, act, because })
  if (!infra) return
  if (beginsInterruption(before, decided)) deps.series.announced(infra)
  const reason: EventReason = 'InterruptionNotice'
  deps.recorder.event({ object: infra, type: 'Warning', reason, message: inWords(decided) }, ctx)
}
