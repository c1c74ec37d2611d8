import { readAttempt } from '../../api/attempt.ts'
import { readInterruption } from '../../api/interruption.ts'
import type { Ctx } from '../../api/ctx.ts'
import { owningMachineKey, type InfraMachine, type Machine } from '../../api/machine.ts'
import type { Notice } from '../../api/notice.ts'
import type { CloudName, Scope } from '../../api/scope.ts'
import type { Delivery, ShownList } from '../../providers/notices.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { Queue } from '../runtime/controller/queue.ts'
import { infraOf } from '../shared/infra-of.ts'
import type { HeldNotices, Outcome } from './held-notices.ts'
import type { NodeNotice } from './node-notices.ts'
import type { PendingNotices } from './pending-notices.ts'
import { ofNotice } from './priorities.ts'
import type { RefusedNotices } from './refused-notices.ts'
import type { ShownLists } from './withdrawal/shown-lists.ts'

/** The clocks of the cloud and of the manager differ by less. */
const clockSkewMs = 60_000

export interface IntakeDeps {
  readonly notices: PendingNotices
  readonly queue: Pick<Queue, 'add'>
  readonly machines: Pick<Cache<Machine>, 'get' | 'list'>
  /** By kind. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  /** With the index `instance`: the machines of a cloud by the id of their instance. */
  readonly ofCloud: (cloud: CloudName) => Pick<Cache<InfraMachine>, 'by'>
  /** Lists at once. */
  readonly listNow: (cloud: CloudName, region: string) => void
  readonly held: Pick<HeldNotices, 'hold'>
  readonly refused: RefusedNotices
  readonly shown: ShownLists
}

/** Leads notices to the Machines whose instances they name. A notice that names no instance of ours has no effect. */
export interface Intake {
  /** A notice that the cloud shows, in the account and region of this scope. */
  readonly fromCloud: (scope: Scope, notice: Notice) => void
  /** A list of a source came through: what it shows no longer is withdrawn. */
  readonly fromCloudList: (list: ShownList) => void
  /** A message of a queue. Resolves when it may be acknowledged. */
  readonly fromQueue: (delivery: Delivery, ctx: Ctx) => Promise<void>
  readonly fromNode: (machine: string, notice: NodeNotice) => void
}

export function noticeIntake(deps: IntakeDeps): Intake {
  const { notices, queue, machines, infraMachines, listNow, refused } = deps
  return {
    fromCloud: (scope, notice) => {
      const named = namedBy(scope, notice.instance, deps)
      if (named.length === 0) refused.add(scope.cloud, notice, 'foreign')
      // Nobody waits for these: a source that shows notices shows them again.
      for (const machine of named.flatMap(owningMachineKey)) void take(machine, notice, deps)
    },
    fromCloudList: (list) => {
      deps.shown.add(list)
      const isOver = ({ source, instance }: Notice) =>
        source === list.source && list.up.has(instance) && !list.noticed.has(instance)
      notices.drop(isOver)
      for (const key of withdrawnBy(list, deps)) queue.add(key)
    },
    fromQueue: async ({ scope, notices: told, changed }, ctx) => {
      const isOurs = changed.some((id) => namedBy(scope, id, deps).length > 0)
      if (isOurs) listNow(scope.cloud, scope.region)
      await fromMessage(scope, told, deps, ctx)
    },
    fromNode: (key, notice) => {
      if (notice === undefined) {
        notices.withdraw(key)
        queue.add(key)
        return
      }
      const machine = machines.get(key)
      const infra = machine && infraOf(machine, { infraMachines })
      const reading = infra && readAttempt(infra)
      if (reading?.is !== 'ours') return
      const { cloud, region } = reading.attempt.scope
      // The list is the proof: a Node may say what it likes.
      listNow(cloud, region)
      if (notice !== 'listNow') void take(key, notice, deps)
    },
  }
}

/** The Machines with a decision whose notice this list has taken back. */
function withdrawnBy({ up }: ShownList, { machines, infraMachines, shown }: IntakeDeps): string[] {
  return machines.list().flatMap((machine) => {
    const reading = readInterruption(machine)
    if (reading.is !== 'ours' || !up.has(reading.interruption.instance)) return []
    const infra = infraOf(machine, { infraMachines })
    const attempt = infra && readAttempt(infra)
    const isBack = attempt?.is === 'ours' && shown.isWithdrawn(reading.interruption, attempt.attempt.scope)
    return isBack ? [keyOf(machine)] : []
  })
}

/** Resolves when the decision about the notice is written, or the Machine is gone. */
function take(machine: string, notice: Notice, { notices, queue }: IntakeDeps): Promise<void> {
  const decided = notices.give(machine, notice)
  queue.add(machine, { priority: ofNotice })
  return decided
}

/** Resolves when the decisions about the notices are written, or they need none. */
async function fromMessage(scope: Scope, told: readonly Notice[], deps: IntakeDeps, ctx: Ctx): Promise<void> {
  const decisions: Promise<void>[] = []
  const held = new Map<string, Notice>()
  for (const notice of told) {
    const named = namedBy(scope, notice.instance, deps)
    if (named.length > 0) decisions.push(...decisionsOf(scope, notice, named, deps))
    // The notices of a message differ in their instances alone.
    else held.set(notice.instance, notice)
  }
  const ended = (id: string, outcome: Outcome) => {
    const notice = held.get(id)
    if (!notice) return
    // It may have come in another account or region.
    const named = namedBy(scope, id, deps)
    if (named.length > 0) decisions.push(...decisionsOf(scope, notice, named, deps))
    else deps.refused.add(scope.cloud, notice, outcome === 'dropped' ? 'dropped' : 'foreign')
  }
  if (held.size > 0) await deps.held.hold(scope, [...held.keys()], ended, ctx)
  await Promise.all(decisions)
}

/** The decisions about the notice, one for each of its Machines. */
function decisionsOf(
  { cloud }: Scope,
  notice: Notice,
  named: readonly InfraMachine[],
  deps: IntakeDeps,
): Promise<void>[] {
  const fresh = named.filter((infra) => !isOlder(notice, infra))
  if (fresh.length === 0) deps.refused.add(cloud, notice, 'stale')
  return fresh.flatMap(owningMachineKey).map((machine) => take(machine, notice, deps))
}

/** The machines with this instance, in the account and region of the notice. */
function namedBy(scope: Scope, id: string, { ofCloud }: IntakeDeps): InfraMachine[] {
  return ofCloud(scope.cloud)
    .by('instance', id)
    .filter((one) => isIn(scope, one))
}

/** An instance cannot be announced to end before it was asked for. */
function isOlder({ at }: Notice, infra: InfraMachine): boolean {
  const reading = readAttempt(infra)
  return reading.is === 'ours' && at < Date.parse(reading.attempt.startedAt) - clockSkewMs
}

/** The id of its instance, for indexes. */
export function instanceOf(infra: InfraMachine): string[] {
  const reading = readAttempt(infra)
  return reading.is === 'ours' && reading.attempt.handle !== undefined ? [reading.attempt.handle] : []
}

/** The region of its attempt, for indexes. */
export function regionOf(infra: InfraMachine): string[] {
  const reading = readAttempt(infra)
  return reading.is === 'ours' ? [reading.attempt.scope.region] : []
}

/** Ids of instances are unique within an account and a region. */
function isIn({ account, region }: Scope, infra: InfraMachine): boolean {
  const reading = readAttempt(infra)
  if (reading.is !== 'ours') return false
  const { scope } = reading.attempt
  const isOfAccount = account === undefined || scope.account === undefined || account === scope.account
  return isOfAccount && scope.region === region
}
