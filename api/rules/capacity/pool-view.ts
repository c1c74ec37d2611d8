import { avoidedUntil } from './avoided.ts'
import type { CloudName } from '../../scope.ts'
import { afterFailure, afterSuccess, pauseEndsAt, type BackoffGroup, type BackoffTerms } from '../backoff-group.ts'
import type { Served } from '../group-facts.ts'

export type PoolState = 'Open' | 'Closed' | 'Avoided' | 'Unknown'

/** Why an offering is closed. Each is also a reason of `Ready` or of a replacement. */
export const closingReasons = ['InsufficientCapacity', 'MaxPriceTooLow', 'QuotaExceeded', 'StartTimeout'] as const

export type ClosingReason = (typeof closingReasons)[number]

/** What this manager has seen of one offering in one account. Times are milliseconds since the epoch. */
export interface PoolRecord {
  readonly cloud: CloudName
  /** Refusals that made the pause longer. 0: it is not closed. */
  readonly failures: number
  readonly reason?: ClosingReason | undefined
  readonly refusedAt?: number | undefined
  readonly nextProbeAt?: number | undefined
  readonly served?: Served | undefined
  readonly interruptedAt?: number | undefined
  readonly interruptions: number
  /** How long instances ran, all together. */
  readonly seconds: number
  /** Interruptions and seconds are counted until then. */
  readonly countedUntil: number
  /** When a machine last used it. */
  readonly usedAt: number
  /** A person has deleted the object. What failed before does not count. */
  readonly forgottenAt?: number | undefined
}

/** What one machine shows of its offering. */
export interface Sighting {
  readonly refused?: { readonly at: number; readonly reason: ClosingReason; readonly terms: BackoffTerms }
  /** It runs since then. */
  readonly served?: Served
  readonly interruptedAt?: number
  /** Only its Node has said so. It counts, and nobody avoids the offering for it: tenants may write to Nodes. */
  readonly isOfNode?: true
}

/** A refusal says nothing any more when nobody has asked for so long after its pause. */
const saysNothingAfterMs = 60 * 60_000

const week = 7 * 24 * 60 * 60_000

export function newRecord(cloud: CloudName, now: number): PoolRecord {
  return { cloud, failures: 0, interruptions: 0, seconds: 0, countedUntil: now, usedAt: now }
}

/** Idempotent: the same sighting may be told any number of times. */
export function afterSighting(record: PoolRecord, sighting: Sighting, now: number): PoolRecord {
  const { refused, served, interruptedAt, isOfNode } = sighting
  const withRefusal = refused ? afterRefusal(record, refused, now) : record
  const withSuccess = served ? afterServing(withRefusal, served, now) : withRefusal
  return interruptedAt === undefined || isOfNode ? withSuccess : afterInterruption(withSuccess, interruptedAt, now)
}

function afterRefusal(
  record: PoolRecord,
  { at, reason, terms }: Sighting['refused'] & object,
  now: number,
): PoolRecord {
  if (at > now || at <= (record.forgottenAt ?? -1)) return record
  const before = groupOf(record)
  const after = afterFailure(before, { at, cameUp: false }, terms)
  const usedAt = Math.max(record.usedAt, at)
  if (after === before || at <= (record.refusedAt ?? -1)) return { ...record, usedAt }
  const { failures, failedAt } = after
  return { ...record, usedAt, failures, reason, refusedAt: failedAt, nextProbeAt: pauseEndsAt(after, terms) }
}

function afterServing(record: PoolRecord, served: Served, now: number): PoolRecord {
  const used = { ...record, usedAt: now }
  if (served.at > now) return used
  const isNewer = record.served === undefined || served.requestedAt > record.served.requestedAt
  const known = isNewer ? { ...used, served } : used
  const group = groupOf(known)
  const isOpened = group !== undefined && afterSuccess(group, served).openedAt !== undefined
  return isOpened && known.failures > 0 ? opened(known) : known
}

function afterInterruption(record: PoolRecord, at: number, now: number): PoolRecord {
  if (at > now || at <= Math.max(record.forgottenAt ?? -1, record.interruptedAt ?? -1)) return record
  return { ...record, interruptedAt: at, usedAt: Math.max(record.usedAt, at) }
}

/** One more interruption. The caller counts each instance once. */
export function counted(record: PoolRecord): PoolRecord {
  return { ...record, interruptions: record.interruptions + 1 }
}

/** The refusal stays known, so that nothing older closes it again. */
function opened({ reason: _reason, nextProbeAt: _next, ...record }: PoolRecord): PoolRecord {
  return { ...record, failures: 0 }
}

function groupOf({ failures, refusedAt, served, forgottenAt }: PoolRecord): BackoffGroup | undefined {
  if (refusedAt === undefined) return undefined
  const openedAt = failures > 0 ? undefined : Math.max(served?.at ?? 0, forgottenAt ?? 0)
  return { failures, failedAt: refusedAt, ...(openedAt === undefined ? {} : { openedAt }) }
}

/** Instances ran for so long, all together. */
export function afterRunning(record: PoolRecord, seconds: number): PoolRecord {
  return { ...record, seconds: record.seconds + Math.max(0, seconds) }
}

/** A person has deleted its object. */
export function forgotten({ cloud, usedAt }: PoolRecord, now: number): PoolRecord {
  return { ...newRecord(cloud, now), usedAt, forgottenAt: now }
}

export function stateOf(record: PoolRecord, now: number): PoolState {
  const { failures, nextProbeAt = 0, served } = record
  if (failures > 0 && now < nextProbeAt + saysNothingAfterMs) return 'Closed'
  if (now < avoidedUntil(record.cloud, record.interruptedAt)) return 'Avoided'
  return failures === 0 && served !== undefined ? 'Open' : 'Unknown'
}

/** The next time at which the state changes without an event. */
export function stateChangesAt(record: PoolRecord, now: number): number {
  const { nextProbeAt = 0, failures } = record
  const times = [
    avoidedUntil(record.cloud, record.interruptedAt),
    ...(failures > 0 ? [nextProbeAt + saysNothingAfterMs] : []),
    goesAt(record),
  ]
  return Math.min(...times.filter((time) => time > now))
}

/** When it has not been used for so long that its object goes. */
export function goesAt({ usedAt }: Pick<PoolRecord, 'usedAt'>): number {
  return usedAt + week
}
