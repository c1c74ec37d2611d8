import { findCondition, type Condition } from '../conditions.ts'
import type { InfraMachine, Machine } from '../machine.ts'
import type { MachineReason } from '../reasons.ts'
import type { Terms } from './policy.ts'

/** The lanes that a machine uses; each is known by one name wherever it is met. */
export interface LaneNames {
  /** Type, zone and capacity type; undefined while nothing was asked for. */
  readonly pool: string | undefined
  /** The quota that all machines of one capacity type share. */
  readonly quota: string | undefined
  /** What its template asks for, whatever the cloud has. */
  readonly launch: string
  /** Whether its Node comes. */
  readonly node: string
}

/** What became of a machine's instance, as far as that tells us what to do next. */
export type Outcome =
  /** Nothing was asked for yet, or nothing is known. */
  | { readonly is: 'unknown' }
  /** Asked for; neither refused nor running. */
  | { readonly is: 'underWay'; readonly lanes: readonly string[]; readonly askedAt: number }
  /** It runs, so these lanes are open. `nodeDueAt`: when a Node has to be there at the latest. */
  | {
      readonly is: 'serving'
      readonly lanes: readonly string[]
      readonly askedAt: number
      readonly at: number
      readonly nodeDueAt?: number
    }
  /** It served for long enough, and ended. */
  | { readonly is: 'over'; readonly reason: MachineReason }
  | Failed

export interface Failed {
  readonly is: 'failed'
  readonly lane: string
  readonly at: number
  readonly cameUp: boolean
  readonly reason: MachineReason | 'NodeMissing'
  /** Undefined where nothing was asked for. */
  readonly askedAt: number | undefined
  /** What else it shows: that its instance came up though its Node did not. */
  readonly proves?: readonly string[]
}

export interface OutcomeFacts {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  readonly lanes: LaneNames
  /** When its attempt was begun. */
  readonly askedAt: number | undefined
  readonly terms: Terms
  readonly now: number
}

/** Reasons of Ready=False, and which lane each speaks of. */
export const refusals = {
  InsufficientCapacity: 'pool',
  MaxPriceTooLow: 'pool',
  QuotaExceeded: 'quota',
  SubnetFull: 'launch',
  ReservationUnavailable: 'launch',
  InvalidConfiguration: 'launch',
  LaunchFailed: 'launch',
} as const satisfies Partial<Record<MachineReason, keyof LaneNames>>

const laneOf: Partial<Record<MachineReason, keyof LaneNames>> = refusals

const ends: ReadonlySet<string> = new Set<MachineReason>([
  'Interrupted',
  'InstanceStopped',
  'InstanceTerminated',
  'InstanceGone',
])

/** Whether its instance has ended: it will never serve again. */
export function hasEnded({ status }: InfraMachine): boolean {
  const ready = findCondition(status?.conditions, 'Ready')
  return ready?.status === 'False' && ends.has(ready.reason)
}

/** Whether it has ended and nothing of it runs any more: the cloud has said so, not only that it will. */
export function isOff(infra: InfraMachine): boolean {
  const state = infra.status?.instanceState
  return hasEnded(infra) && (state === 'stopped' || state === 'terminated')
}

export function outcomeOf(given: OutcomeFacts): Outcome {
  const { infra, askedAt, lanes, now } = given
  const facts = { ...given, askedAt: comparable(askedAt, now) }
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  if (!infra || infra.metadata.deletionTimestamp !== undefined) return { is: 'unknown' }
  if (ready?.status === 'True') return served(facts, ready)
  if (ready?.status === 'False') return ended(facts, infra, ready)
  if (askedAt === undefined) return { is: 'unknown' }
  return { is: 'underWay', lanes: launchLanes(lanes), askedAt: Math.min(now, askedAt) }
}

/**
 * By a clock ahead of ours: nobody knows whether that was before or after what ours has on record, and what was asked for
 * long ago proves nothing.
 */
function comparable(askedAt: number | undefined, now: number): number | undefined {
  return askedAt !== undefined && askedAt > now ? longAgo : askedAt
}

const longAgo = 0

function served({ machine, lanes, askedAt, terms, now }: OutcomeFacts, ready: Condition): Outcome {
  const at = Math.min(now, Date.parse(ready.lastTransitionTime))
  const common = { askedAt: askedAt ?? at, at }
  const came = launchLanes(lanes)
  if (machine.status?.nodeRef || terms.nodeStartupMs === 0) {
    return { is: 'serving', lanes: [...came, lanes.node], ...common }
  }
  const nodeDueAt = at + terms.nodeStartupMs
  if (now < nodeDueAt) return { is: 'serving', lanes: came, ...common, nodeDueAt }
  const { askedAt: asked } = common
  return {
    is: 'failed',
    lane: lanes.node,
    at: nodeDueAt,
    cameUp: true,
    reason: 'NodeMissing',
    askedAt: asked,
    proves: came,
  }
}

function ended({ lanes, askedAt, terms, now }: OutcomeFacts, infra: InfraMachine, ready: Condition): Outcome {
  const reason = ready.reason as MachineReason
  const at = Math.min(now, Date.parse(ready.lastTransitionTime))
  const refusal = laneOf[reason]
  if (refusal) return { is: 'failed', lane: lanes[refusal] ?? lanes.launch, at, cameUp: false, reason, askedAt }
  if (!ends.has(reason)) return { is: 'unknown' }
  const began = beganAt(infra, askedAt)
  if (began !== undefined && at - began >= terms.minHealthyMs) return { is: 'over', reason }
  return { is: 'failed', lane: lanes.pool ?? lanes.launch, at, cameUp: began !== undefined, reason, askedAt }
}

/**
 * Since when it served. What is younger than its attempt was moved here or put back, and has lost its status on the way:
 * of that only the attempt tells how old its instance is.
 */
function beganAt({ metadata, status }: InfraMachine, askedAt: number | undefined): number | undefined {
  const isKnown = askedAt !== undefined && askedAt !== longAgo
  if (isKnown && askedAt < Date.parse(metadata.creationTimestamp ?? '')) return askedAt
  const began = findCondition(status?.conditions, 'Provisioned')
  return began && Date.parse(began.lastTransitionTime)
}

function launchLanes({ pool, quota, launch }: LaneNames): string[] {
  return [pool, quota, launch].filter((name) => name !== undefined)
}
