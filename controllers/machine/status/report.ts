import { findCondition, setCondition, type Condition, type Verdict } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { annotations } from '../../../api/labels.ts'
import type { InfraMachine, InfraMachineStatus } from '../../../api/machine.ts'
import type { EventReason, MachineReason, PausedReason, SystemCheckReason } from '../../../api/reasons.ts'
import { shownOffering, type Instance } from '../../../api/instance.ts'
import { isAnnounced } from '../../../api/rules/interruption/announced.ts'
import { decidedFor, noticeVerdict } from '../../../api/rules/interruption/in-words.ts'
import { systemCheckVerdict } from '../../../api/rules/interruption/system-check.ts'
import { offeringOf } from '../../../api/rules/capacity/chosen.ts'
import { fellBackMessage } from '../../../api/rules/capacity/fell-back.ts'
import { shownAttempts } from '../../../api/rules/capacity/shown-attempts.ts'
import { walkOf } from '../../../api/rules/capacity/walk.ts'
import { hasFallback } from '../../capacity/fallback.ts'
import type { NodeEvent } from '../../shared/nodes.ts'
import { patchStatus } from '../../runtime/controller/patch-status.ts'
import { isConflict } from '../../runtime/client/api-error.ts'
import type { Pass } from '../pass.ts'

/** Never taken back: its lastTransitionTime tells how long an instance had served when it ended. */
const provisioned: Verdict<MachineReason> = {
  status: 'True',
  reason: 'Running',
  message: 'The instance began to run.',
}
const systemCheckCondition = 'SystemStatusCheck'
const notPaused: Verdict<PausedReason> = { status: 'False', reason: 'NotPaused', message: '' }

/** The one status patch of a pass; none where nothing changed. People hear of a change by an event too. */
export async function report(pass: Pass, ctx: Ctx): Promise<void> {
  const { infra } = pass
  const before = findCondition(infra.status?.conditions, 'Ready')
  const check = findCondition(infra.status?.conditions, systemCheckCondition)
  const written = await writeStatus(pass, ctx)
  if (written) pass.deps.ownWrites.note(written, ctx.clock.monotonic())
  tellImpaired(pass, check, ctx)
  const { ready } = pass
  if (!ready || (before?.reason === ready.reason && before.status === ready.status)) return
  const type = isWarning(ready) ? 'Warning' : 'Normal'
  const reason: EventReason = ready.reason === 'Interrupted' ? 'SpotPreemption' : ready.reason
  pass.deps.recorder.event({ object: infra, type, reason, message: ready.message }, ctx)
  if (ready.reason === 'Running') tellFellBack(pass, infra, ctx)
  if (reason !== 'SpotPreemption') return
  tellOnNode(pass, { reason, message: ready.message }, ctx)
  tellUnannounced(pass, ctx)
}

/** Once, when the instance begins to run. Until then, what the cloud has accepted may still be refused. */
function tellFellBack({ attempt, deps }: Pass, before: InfraMachine, ctx: Ctx): void {
  const bought = attempt && offeringOf(attempt)
  if (!bought || !hasFallback(before) || before.status?.initialization?.provisioned === true) return
  const message = fellBackMessage(attempt.handle ?? '', bought, walkOf(attempt))
  const reason: EventReason = 'FellBack'
  if (message) deps.recorder.event({ object: before, type: 'Normal', reason, message }, ctx)
}

/** Once for each time that the check begins to fail: the condition survives a restart. */
function tellImpaired(pass: Pass, before: Condition | undefined, ctx: Ctx): void {
  const verdict = systemCheckOf(pass)
  if (verdict?.status !== 'False' || before?.status === 'False') return
  const reason: EventReason = 'SystemStatusCheckFailed'
  pass.deps.recorder.event({ object: pass.infra, type: 'Warning', reason, message: verdict.message }, ctx)
}

function systemCheckOf({ infra, attempt, systemCheck }: Pass): Verdict<SystemCheckReason> | undefined {
  const wasSaid = findCondition(infra.status?.conditions, systemCheckCondition) !== undefined
  return systemCheckVerdict(systemCheck, attempt?.handle ?? '', wasSaid)
}

function tellUnannounced({ infra, machine, attempt, deps }: Pass, ctx: Ctx): void {
  if (isAnnounced(decidedFor(machine, attempt?.handle))) return
  const reason: EventReason = 'TakenWithoutNotice'
  const message = 'The cloud took the instance back, and no source had announced it. Its Pods had no time to end.'
  deps.recorder.event({ object: infra, type: 'Warning', reason, message }, ctx)
}

/**
 * Core writes to young objects too. If core was quicker, the findings of the pass are written all the same, as long as
 * machine and attempt are still the same. A pass that rests after a refusal would not find them again.
 */
async function writeStatus(pass: Pass, ctx: Ctx): Promise<InfraMachine | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await patchStatus({ ...pass.deps, object: pass.infra, status: statusOf(pass, ctx.clock.now()) }, ctx)
    } catch (thrown) {
      if (!isConflict(thrown) || tries === 3) throw thrown
      const { namespace, name } = pass.infra.metadata
      const standing = await pass.deps.client.get<InfraMachine>(pass.deps.resource, { namespace, name }, ctx)
      if (isAnother(standing, pass.infra)) throw thrown
      pass.infra = standing
    }
  }
}

function isAnother({ metadata: one }: InfraMachine, { metadata: other }: InfraMachine): boolean {
  return one.uid !== other.uid || one.annotations?.[annotations.attempt] !== other.annotations?.[annotations.attempt]
}

/** The operators of the workload cluster see its Nodes, and perhaps no machine of ours. */
function tellOnNode(
  { infra, machine, cluster, deps }: Pass,
  said: Pick<NodeEvent, 'reason' | 'message'>,
  ctx: Ctx,
): void {
  const { providerID } = infra.spec
  const node = machine?.status?.nodeRef?.name
  if (!cluster || !node || !providerID) return
  const { namespace, name } = cluster.metadata
  deps.nodeEvents.warn({ cluster: { namespace, name }, node, providerID, ...said }, ctx)
}

export async function reportPaused(pass: Pick<Pass, 'attempt' | 'deps' | 'infra'>, ctx: Ctx): Promise<void> {
  const message = 'The Cluster or this object is paused. The manager changes nothing until you remove the pause.'
  const paused: Verdict<PausedReason> = { status: 'True', reason: 'Paused', message }
  const status = { ...askedFor(pass), conditions: conditionsOf(pass.infra, { Paused: paused }, ctx.clock.now()) }
  const written = await patchStatus({ ...pass.deps, object: pass.infra, status }, ctx)
  if (written) pass.deps.ownWrites.note(written, ctx.clock.monotonic())
}

/** Pure. A field whose value is not known now stays as it is. */
function statusOf(pass: Pass, nowMs: number): InfraMachineStatus {
  const { infra, instance, ready, machine, attempt } = pass
  const wasNoticed = findCondition(infra.status?.conditions, 'InterruptionNotice') !== undefined
  const notice = noticeVerdict(decidedFor(machine, attempt?.handle), wasNoticed)
  const check = systemCheckOf(pass)
  const verdicts = {
    ...(ready ? { Ready: ready } : {}),
    ...(ready?.status === 'True' ? { Provisioned: provisioned } : {}),
    ...(notice ? { InterruptionNotice: notice } : {}),
    ...(check ? { [systemCheckCondition]: check } : {}),
    Paused: notPaused,
  }
  return {
    ...askedFor(pass),
    ...requestedOf(pass),
    ...(instance?.state === 'running' ? { initialization: { provisioned: true } } : {}),
    ...(instance ? factsOf(instance, infra.status) : {}),
    conditions: conditionsOf(infra, verdicts, nowMs),
  }
}

/**
 * After a move, and before the first list, only the attempt tells whether the instance is spot. Without `interruptible`
 * core would take its label off the Node, so this is written even while paused.
 */
function askedFor({ infra, attempt }: Pick<Pass, 'attempt' | 'infra'>): InfraMachineStatus {
  const isKnown = infra.status?.interruptible !== undefined || infra.spec.providerID === undefined
  const isTold = attempt?.offering !== undefined || attempt?.choice !== undefined
  return isKnown || !isTold ? {} : { interruptible: offeringOf(attempt)?.capacityType === 'Spot' }
}

/** What the attempt asks for, until the cloud shows what was bought. And what was asked for before. */
function requestedOf({ infra, attempt, instance }: Pass): InfraMachineStatus {
  if (!attempt) return {}
  const offering = infra.spec.providerID === undefined && !instance ? offeringOf(attempt) : undefined
  const attempts = shownAttempts(attempt)
  return { tries: attempt.n, ...(attempts.length > 0 ? { attempts } : {}), ...offering }
}

/** The Machine keeps the addresses of an ended instance, although the instance has none any more. */
function factsOf(instance: Instance, before: InfraMachineStatus | undefined): InfraMachineStatus {
  return {
    ...boughtOf(instance, before),
    instanceID: instance.id,
    instanceState: instance.state,
    ...(instance.addresses.length > 0 ? { addresses: [...instance.addresses] } : {}),
  }
}

/** The capacity type never changes. Some clouds no longer show it for an ended instance, so the earlier value stays. */
function boughtOf(instance: Instance, before: InfraMachineStatus | undefined): InfraMachineStatus {
  const offering = shownOffering(instance)
  if (!offering) return {}
  const { capacityType, instanceType, zone } = offering
  const place = { instanceType, zone, ...(zone ? { failureDomain: zone } : {}) }
  if (instance.state === 'terminated' && before?.capacityType !== undefined) return place
  return { interruptible: capacityType === 'Spot', capacityType, ...place }
}

function conditionsOf(infra: InfraMachine, verdicts: Record<string, Verdict>, nowMs: number) {
  let list = infra.status?.conditions ?? []
  for (const [type, verdict] of Object.entries(verdicts)) {
    list = [...setCondition(list, { type, ...verdict, observedGeneration: infra.metadata.generation ?? 0 }, nowMs)]
  }
  return list
}

/** With these reasons a machine goes on without a person. Any other is an event, so that people hear of it. */
const waitsForItself: ReadonlySet<MachineReason> = new Set([
  'WaitingForMachine',
  'WaitingForCluster',
  'WaitingForClusterInfrastructure',
  'WaitingForBootstrapData',
  'Launching',
  'CapacityBackoff',
  'InstanceStarting',
])

function isWarning({ status, reason }: Verdict<MachineReason>): boolean {
  if (status === 'Unknown') return !waitsForItself.has(reason)
  return status === 'False' && reason !== 'Deleting'
}
