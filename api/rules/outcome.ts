import { findCondition, timeOf, type Condition } from '../conditions.ts'
import type { InfraMachine, Machine } from '../machine.ts'
import type { MachineReason } from '../reasons.ts'
import { refusals, type BackoffScope } from '../refusal.ts'
import { wholeSecond } from './backoff-group.ts'
import type { Terms } from './policy.ts'

/** The groups that a machine uses; each is known by one name wherever it is met. */
export interface BackoffGroupNames {
  /** Type, zone and capacity type; undefined while nothing was asked for. */
  readonly offering: string | undefined
  /** The same at the price that it offers: whoever pays more may get what this one does not. */
  readonly price: string | undefined
  /** The quota that all machines of one capacity type share. */
  readonly quota: string | undefined
  /** What its template asks for, whatever the cloud has. */
  readonly launch: string
  /** Whether its Node comes. */
  readonly node: string
}

/** What became of a machine's instance, as far as that tells us what to do next. */
export type Outcome =
  /** Nothing was asked for yet, or nothing is known. Nobody waits for it after `patientUntil`. */
  | { readonly is: 'unknown'; readonly patientUntil: number }
  /** Asked for; neither refused nor running. */
  | {
      readonly is: 'underWay'
      readonly groups: readonly string[]
      readonly requestedAt: number
      readonly patientUntil: number
      /** When its instance has to run at the latest; undefined where the cloud has not begun to start it. */
      readonly startDueAt?: number
    }
  /** It runs, so these groups are open. */
  | {
      readonly is: 'serving'
      readonly groups: readonly string[]
      readonly requestedAt: number
      readonly at: number
      /** It has no Node yet: what that will tell of, and when it has to be there at the latest. */
      readonly awaitsNode?: { readonly group: string; readonly dueAt: number }
    }
  /** It served for long enough, and ended; or somebody has taken its infra machine away. */
  | { readonly is: 'over'; readonly reason: MachineReason | 'InfrastructureDeleted' }
  | Failed

export interface Failed {
  readonly is: 'failed'
  readonly group: string
  readonly at: number
  readonly cameUp: boolean
  readonly reason: MachineReason | 'NodeMissing' | 'StartTimeout' | 'LaunchTimeout'
  /** Undefined where nothing was asked for. */
  readonly requestedAt: number | undefined
  /** What else it shows: that its instance came up though its Node did not. */
  readonly proves?: readonly string[]
}

export interface OutcomeFacts {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  /** It was there, and a fresh look has not found it. */
  readonly isInfraLost?: boolean
  readonly groups: BackoffGroupNames
  /** When its attempt was begun. */
  readonly requestedAt: number | undefined
  readonly terms: Terms
  readonly now: number
}

/** Reasons of Ready=False of a machine that was refused, and which group each speaks of. */
export const groupOfRefusal: Readonly<Partial<Record<MachineReason, BackoffScope>>> = Object.fromEntries(
  Object.values(refusals).map(({ failsWith, sharesBackoff }) => [failsWith, sharesBackoff]),
)

/**
 * Reasons of Ready=False of an instance that has ended, and which group that speaks of if it ended soon: of one that
 * stops by itself, or by its owner's hand, the offering knows nothing.
 */
export const ends = {
  Interrupted: 'offering',
  InstanceStopped: 'launch',
  InstanceTerminated: 'launch',
  InstanceGone: 'launch',
} as const satisfies Partial<Record<MachineReason, keyof BackoffGroupNames>>

const groupOfEnd: Partial<Record<string, keyof BackoffGroupNames>> = ends

/** Whether its instance has ended: it will never serve again. */
export function hasEnded({ status }: InfraMachine): boolean {
  const ready = findCondition(status?.conditions, 'Ready')
  return ready?.status === 'False' && Object.hasOwn(ends, ready.reason)
}

/** Whether it has ended and nothing of it runs any more: the cloud has said so, not only that it will. */
export function isOff(infra: InfraMachine): boolean {
  const state = infra.status?.instanceState
  return hasEnded(infra) && (state === 'stopped' || state === 'terminated')
}

export function outcomeOf(given: OutcomeFacts): Outcome {
  const { infra, isInfraLost, now } = given
  const facts = { ...given, requestedAt: comparable(given.requestedAt, now) }
  if (isInfraLost || infra?.metadata.deletionTimestamp !== undefined) return deleted(facts)
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  if (ready?.status === 'True') return served(facts, ready)
  return ready?.status === 'False' ? ended(facts, ready) : onItsWay(facts, ready?.reason)
}

function onItsWay(facts: OutcomeFacts, reason: string | undefined): Outcome {
  if (facts.requestedAt === undefined) return unknown(facts)
  const requestedAt = facts.requestedAt === longAgo ? facts.now : facts.requestedAt
  if (reason === isStarting) return starting(requestedAt, facts)
  return reason === isUnanswered ? unanswered(requestedAt, facts) : underWay(requestedAt, facts)
}

const isStarting: MachineReason = 'InstanceStarting'
const isUnanswered: MachineReason = 'CloudUnavailable'

/** Core takes the infra machine away after the Machine; where the Machine stays somebody else has. */
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

/** The cloud said yes, and has not come to a running instance. */
function starting(requestedAt: number, facts: OutcomeFacts): Outcome {
  const { groups, terms, now } = facts
  const startDueAt = requestedAt + terms.startMs
  if (now < startDueAt) return { ...underWay(requestedAt, facts), startDueAt }
  const group = groups.offering ?? groups.launch
  return { is: 'failed', group, at: startDueAt, cameUp: false, reason: 'StartTimeout', requestedAt }
}

/**
 * Whatever a cloud may answer for ever, nobody waits for it for ever. What waits for a person, or for its turn, is not
 * meant: in its place another machine would wait for the same.
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
 * By a clock ahead of ours: nobody knows whether that was before or after what ours has on record, and what was asked
 * for long ago proves nothing.
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
      at,
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

/** By a clock ahead of ours it would be another time with each look, so that others would be told again and again. */
function changedAt({ lastTransitionTime }: Condition, now: number): number {
  return Math.min(wholeSecond(now), timeOf(lastTransitionTime) ?? longAgo)
}

/**
 * Since when it served. What is younger than its attempt was moved here or put back, and has lost its status on the
 * way: of that only the attempt tells how old its instance is.
 */
function beganAt(infra: InfraMachine | undefined, requestedAt: number | undefined): number | undefined {
  const isKnown = requestedAt !== undefined && requestedAt !== longAgo
  if (isKnown && requestedAt < Date.parse(infra?.metadata.creationTimestamp ?? '')) return requestedAt
  const began = findCondition(infra?.status?.conditions, 'Provisioned')
  return timeOf(began?.lastTransitionTime)
}

function launchGroups({ offering, price, quota, launch }: BackoffGroupNames): string[] {
  return [offering, price, quota, launch].filter((name) => name !== undefined)
}
