import { findCondition, timeOf, type Condition } from '../conditions.ts'
import type { InfraMachine, Machine } from '../machine.ts'
import type { MachineReason } from '../reasons.ts'
import { refusals, type BackoffScope } from '../refusal.ts'
import { wholeSecond } from './backoff-group.ts'
import { patientUntil } from './capacity/patience.ts'
import type { Terms } from './policy.ts'

export interface BackoffGroupNames {
  /** Type, zone and capacity type; undefined before the first request. */
  readonly offering: string | undefined
  /** The same with its maximum price: a machine that pays more may still get an instance. */
  readonly price: string | undefined
  /** The part of a quota that it counts against, and how much of it. */
  readonly quota: string | undefined
  /** All known groups that hold its request, and that its instance proves open. */
  readonly others?: readonly string[]
  /** Its template, whatever the cloud has. */
  readonly launch: string
  /** Its template again, for Nodes that do not come. */
  readonly node: string
}

/** The fate of a machine's instance, as far as the remediation needs it. */
export type Outcome =
  /** There was no request yet, or nothing is known. It counts as under way until `patientUntil`. */
  | { readonly is: 'unknown'; readonly patientUntil: number }
  /** Requested; neither refused nor running. */
  | {
      readonly is: 'underWay'
      readonly groups: readonly string[]
      readonly requestedAt: number
      readonly patientUntil: number
      /** The latest time at which its instance must run; undefined before the cloud has begun to start it. */
      readonly startDueAt?: number
    }
  /** Not requested, because the offering was refused to others. It is neither a try nor a failure. */
  | {
      readonly is: 'waiting'
      /** Those that hold it back. */
      readonly groups: readonly string[]
      /** 0: it is not known since when. */
      readonly since: number
      /** Infinity: with `fallback` it waits for as long as all offerings are closed. */
      readonly patientUntil: number
    }
  /** It runs, so these groups are open. */
  | {
      readonly is: 'serving'
      readonly groups: readonly string[]
      readonly requestedAt: number
      readonly at: number
      /** It has no Node yet: the group of that failure, and the latest time for the Node. */
      readonly awaitsNode?: { readonly group: string; readonly dueAt: number }
    }
  /** It ran for long enough and ended, or somebody deleted its infra machine. */
  | { readonly is: 'over'; readonly reason: MachineReason | 'InfrastructureDeleted' | 'InterruptionNotice' }
  | Failed

export interface Failed {
  readonly is: 'failed'
  readonly group: string
  readonly at: number
  readonly cameUp: boolean
  readonly reason: MachineReason | 'NodeMissing' | 'StartTimeout' | 'LaunchTimeout' | 'InterruptionNotice'
  /** Undefined without a request. */
  readonly requestedAt: number | undefined
  /** The groups that it proves open, because its instance came up without a Node. */
  readonly proves?: readonly string[]
}

export interface OutcomeFacts {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  /** It existed, and a fresh read has not found it. */
  readonly isInfraMissing?: boolean
  /** When its notice was decided, if that says that the Machine counts as failed. */
  readonly noticedAt?: number | undefined
  readonly groups: BackoffGroupNames
  /** The start of its attempt. */
  readonly requestedAt: number | undefined
  /** When its attempt was refused. Its status may be younger, as after a move. */
  readonly refusedAt?: number | undefined
  /** With `fallback` it waits for as long as it has to, also with a refused attempt that goes on. */
  readonly hasFallback?: boolean
  readonly goesOn?: boolean
  /** What the memory of capacity knows of it beyond its objects. */
  readonly launch?: LaunchFacts | undefined
  readonly terms: Terms
  readonly now: number
}

/** It is about to ask since `at`, or waits for its turn since then. */
export interface LaunchFacts {
  readonly is: 'claimed' | 'waiting'
  readonly groups: readonly string[]
  readonly at: number
}

/** Reasons of Ready=False after a refusal, each with its backoff group. */
export const groupOfRefusal: Readonly<Partial<Record<MachineReason, BackoffScope>>> = Object.fromEntries(
  Object.values(refusals).map(({ failsWith, sharesBackoff }) => [failsWith, sharesBackoff]),
)

/** The same after the end of an instance that ended soon. One that stops by itself says nothing about the offering. */
export const ends = {
  Interrupted: 'offering',
  InstanceStopped: 'launch',
  InstanceTerminated: 'launch',
  InstanceGone: 'launch',
} as const satisfies Partial<Record<MachineReason, BackoffScope>>

const groupOfEnd: Partial<Record<string, BackoffScope>> = ends

/** Whether its instance has ended for good. */
export function hasEnded({ status }: InfraMachine): boolean {
  const ready = findCondition(status?.conditions, 'Ready')
  return ready?.status === 'False' && Object.hasOwn(ends, ready.reason)
}

/** Whether the cloud has shown the end of its instance, and not only announced it. */
export function isOff(infra: InfraMachine): boolean {
  const state = infra.status?.instanceState
  return hasEnded(infra) && (state === 'stopped' || state === 'terminated')
}

export function outcomeOf(given: OutcomeFacts): Outcome {
  const { infra, isInfraMissing: isInfraLost, now } = given
  const facts = { ...given, requestedAt: comparable(given.requestedAt, now) }
  if (isInfraLost || infra?.metadata.deletionTimestamp !== undefined) return deleted(facts)
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  if (!ready) return onItsWay(facts, undefined)
  return given.noticedAt === undefined ? reported(facts, ready) : noticed(facts, Math.min(now, given.noticedAt))
}

function reported(facts: OutcomeFacts, ready: Condition): Outcome {
  if (ready.status === 'True') return served(facts, ready)
  return ready.status === 'False' ? ended(facts, ready) : onItsWay(facts, ready.reason)
}

function onItsWay(facts: OutcomeFacts, reason: string | undefined): Outcome {
  const inTurn = inLine(facts, reason)
  if (inTurn) return inTurn
  if (facts.requestedAt === undefined) return unknown(facts)
  const requestedAt = facts.requestedAt === longAgo ? facts.now : facts.requestedAt
  // An instance that has run does not start again: a late read shows it as it was.
  if (reason === isStarting) return hasRun(facts) ? unknown(facts) : starting(requestedAt, facts)
  return reason === isUnanswered ? unanswered(requestedAt, facts) : underWay(requestedAt, facts)
}

function hasRun({ infra }: OutcomeFacts): boolean {
  return findCondition(infra?.status?.conditions, 'Provisioned')?.status === 'True'
}

/** It is about to ask, or waits for its turn. */
function inLine(facts: OutcomeFacts, reason: string | undefined): Outcome | undefined {
  const { launch, terms, requestedAt: before } = facts
  if (launch?.is === 'claimed' && (reason === isHeldBack || before === undefined)) {
    const { groups, at: requestedAt } = launch
    return { is: 'underWay', groups, requestedAt, patientUntil: requestedAt + terms.patienceMs }
  }
  return reason === isHeldBack || launch?.is === 'waiting' || facts.goesOn ? waiting(facts) : undefined
}

function waiting({ launch, groups, machine, terms, hasFallback }: OutcomeFacts): Outcome {
  return {
    is: 'waiting',
    groups: launch?.groups ?? [groups.offering, groups.price].filter((name) => name !== undefined),
    since: launch?.at ?? 0,
    patientUntil: hasFallback ? Infinity : patientUntil(machine, terms),
  }
}

const isHeldBack: MachineReason = 'CapacityBackoff'
const isStarting: MachineReason = 'InstanceStarting'
const isUnanswered: MachineReason = 'CloudUnavailable'

/** The end counts from the notice, also when it has come: it is one failure and not two. */
function noticed({ infra, groups, requestedAt, terms }: OutcomeFacts, at: number): Outcome {
  const reason = 'InterruptionNotice'
  const began = beganAt(infra, requestedAt)
  if (began !== undefined && at - began >= terms.minHealthyMs) return { is: 'over', reason }
  return { is: 'failed', group: groups.offering ?? groups.launch, at, cameUp: true, reason, requestedAt }
}

/** Core deletes the infra machine after the Machine. If the Machine stays, somebody else has deleted it. */
function deleted(facts: OutcomeFacts): Outcome {
  const isLeaving = facts.machine.metadata.deletionTimestamp !== undefined
  return isLeaving ? unknown(facts) : { is: 'over', reason: 'InfrastructureDeleted' }
}

function unknown({ machine, terms, now }: OutcomeFacts): Outcome {
  const since = Math.min(now, Date.parse(machine.metadata.creationTimestamp ?? '') || longAgo)
  return { is: 'unknown', patientUntil: since + terms.patienceMs }
}

function underWay(requestedAt: number, { groups, terms }: OutcomeFacts): Outcome & { is: 'underWay' } {
  return { is: 'underWay', groups: launchGroups(groups), requestedAt, patientUntil: requestedAt + terms.patienceMs }
}

/** The cloud accepted the launch and has not started the instance. */
function starting(requestedAt: number, facts: OutcomeFacts): Outcome {
  const { groups, terms, now } = facts
  const startDueAt = requestedAt + terms.startMs
  if (now < startDueAt) return { ...underWay(requestedAt, facts), startDueAt }
  const group = groups.offering ?? groups.launch
  return { is: 'failed', group, at: startDueAt, cameUp: false, reason: 'StartTimeout', requestedAt }
}

/**
 * A cloud may answer with errors for ever, so the wait has an end. A wait for a person, or for a turn at the cloud, has
 * none: the next machine would wait for the same.
 */
function unanswered(requestedAt: number, facts: OutcomeFacts): Outcome {
  const waiting = underWay(requestedAt, facts)
  const at = waiting.patientUntil
  if (facts.now < at) return waiting
  return {
    is: 'failed',
    group: facts.groups.launch,
    at,
    cameUp: false,
    reason: 'LaunchTimeout',
    requestedAt,
  }
}

/**
 * The clock of the request was ahead of ours, so its order with our times is unknown. A request of long ago proves
 * nothing.
 */
function comparable(requestedAt: number | undefined, now: number): number | undefined {
  return requestedAt !== undefined && requestedAt > now ? longAgo : requestedAt
}

const longAgo = 0

function served({ machine, groups, requestedAt, terms, now }: OutcomeFacts, ready: Condition): Outcome {
  const at = changedAt(ready, now)
  const common = { requestedAt: requestedAt ?? at, at }
  const came = launchGroups(groups)
  if (machine.status?.nodeRef || terms.nodeStartupMs === 0) {
    return { is: 'serving', groups: [...came, groups.node], ...common }
  }
  const nodeDueAt = at + terms.nodeStartupMs
  const awaitsNode = { group: groups.node, dueAt: nodeDueAt }
  if (now < nodeDueAt) return { is: 'serving', groups: came, ...common, awaitsNode }
  const { requestedAt: asked } = common
  return {
    is: 'failed',
    group: groups.node,
    at: nodeDueAt,
    cameUp: true,
    reason: 'NodeMissing',
    requestedAt: asked,
    proves: came,
  }
}

function ended(facts: OutcomeFacts, ready: Condition): Outcome {
  const { infra, groups, requestedAt, terms, now } = facts
  const reason = ready.reason as MachineReason
  const at = changedAt(ready, now)
  const refusal = Object.hasOwn(groupOfRefusal, reason) ? groupOfRefusal[reason] : undefined
  if (refusal)
    return {
      is: 'failed',
      group: groups[refusal] ?? groups.launch,
      at: Math.min(at, facts.refusedAt ?? at),
      cameUp: false,
      reason,
      requestedAt,
    }
  const end = Object.hasOwn(ends, reason) ? groupOfEnd[reason] : undefined
  if (!end) return unknown(facts)
  const began = beganAt(infra, requestedAt)
  const group = groups[end] ?? groups.launch
  if (began !== undefined && at - began >= terms.minHealthyMs) return { is: 'over', reason }
  return { is: 'failed', group, at, cameUp: began !== undefined, reason, requestedAt }
}

/** The time of a clock ahead of ours would change with each look, and others would be requeued again and again. */
function changedAt({ lastTransitionTime }: Condition, now: number): number {
  return Math.min(wholeSecond(now), timeOf(lastTransitionTime) ?? longAgo)
}

/**
 * Since when it ran. An object that is younger than its attempt was moved or restored and has lost its status. Then
 * only the attempt shows the age of the instance.
 */
export function beganAt(infra: InfraMachine | undefined, requestedAt: number | undefined): number | undefined {
  const isKnown = requestedAt !== undefined && requestedAt !== longAgo
  if (isKnown && requestedAt < Date.parse(infra?.metadata.creationTimestamp ?? '')) return requestedAt
  const began = findCondition(infra?.status?.conditions, 'Provisioned')
  return timeOf(began?.lastTransitionTime)
}

function launchGroups({ offering, price, quota, others = [], launch }: BackoffGroupNames): string[] {
  return [...new Set([offering, price, quota, ...others, launch])].filter((name) => name !== undefined)
}
