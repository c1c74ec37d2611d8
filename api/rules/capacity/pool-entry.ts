import { rfc3339, timeOf } from '../../conditions.ts'
import type { CapacityPoolManager, CapacityPoolSummary } from '../../generated/capacity-pool.ts'
import type { CloudName } from '../../scope.ts'
import type { Served } from '../group-facts.ts'
import { stateOf, type PoolRecord, type PoolState } from './pool-view.ts'

/** Names an entry: who has seen it, and in which account. */
export type EntryKey = Pick<CapacityPoolManager, 'manager' | 'account'>

/** Below it, one interruption more or less would say anything. */
const leastSeconds = 10 * 3600

export function entryOf(record: PoolRecord, key: EntryKey, now: number): CapacityPoolManager {
  const { interruptions, seconds, countedUntil, usedAt, served } = record
  return {
    ...key,
    ...shown(record, now),
    ...time('lastSuccessRequested', served?.requestedAt),
    ...time('lastUsed', usedAt),
    ...time('countedUntil', countedUntil),
    interruptions,
    instanceSeconds: Math.round(seconds),
  }
}

/** What an entry says. A time of a clock ahead of ours counts as now. */
export function recordOf(entry: CapacityPoolManager, cloud: CloudName, now: number): PoolRecord {
  const past = (text: string | undefined) => pastTime(text, now)
  const refusedAt = past(entry.lastRefusal)
  return {
    cloud,
    failures: refusedAt === undefined ? 0 : (entry.failures ?? 0),
    reason: entry.reason,
    refusedAt,
    nextProbeAt: timeOf(entry.nextProbe),
    served: servedIn(entry, now),
    interruptedAt: past(entry.lastInterruption),
    interruptions: entry.interruptions ?? 0,
    seconds: entry.instanceSeconds ?? 0,
    countedUntil: past(entry.countedUntil) ?? now,
    usedAt: past(entry.lastUsed) ?? now,
    forgottenAt: past(entry.forgottenAt),
  }
}

/** The records of the accounts that used it last, no more than `most`. */
export function lastUsed(records: ReadonlyMap<string, PoolRecord>, most: number): ReadonlyMap<string, PoolRecord> {
  if (records.size <= most) return records
  const byUse = [...records].toSorted(([a, one], [b, other]) => other.usedAt - one.usedAt || (a < b ? -1 : 1))
  return new Map(byUse.slice(0, most))
}

function servedIn({ lastSuccess, lastSuccessRequested }: CapacityPoolManager, now: number): Served | undefined {
  const at = pastTime(lastSuccess, now)
  return at === undefined ? undefined : { requestedAt: pastTime(lastSuccessRequested, now) ?? at, at }
}

function pastTime(text: string | undefined, now: number): number | undefined {
  const at = timeOf(text)
  return at === undefined ? undefined : Math.min(at, now)
}

const worstFirst: readonly PoolState[] = ['Closed', 'Avoided', 'Unknown', 'Open']

/** The worst of all entries, and the rate over all. It depends on no order, so all managers write the same. */
export function summaryOf(records: readonly PoolRecord[], now: number): CapacityPoolSummary {
  const rank = (record: PoolRecord) => worstFirst.indexOf(stateOf(record, now))
  const worse = (a: PoolRecord, b: PoolRecord) => rank(a) - rank(b) || (b.nextProbeAt ?? 0) - (a.nextProbeAt ?? 0)
  const [worst] = records.toSorted((a, b) => worse(a, b) || b.failures - a.failures)
  if (!worst) return {}
  const latest = (of: (record: PoolRecord) => number | undefined) => {
    const times = records.flatMap((record) => of(record) ?? [])
    return times.length === 0 ? undefined : Math.max(...times)
  }
  const rate = rateOf(records)
  return {
    ...shown(worst, now),
    ...time(
      'lastRefusal',
      latest(({ refusedAt }) => refusedAt),
    ),
    ...time(
      'lastSuccess',
      latest(({ served }) => served?.at),
    ),
    ...time(
      'lastInterruption',
      latest(({ interruptedAt }) => interruptedAt),
    ),
    ...time(
      'forgottenAt',
      latest(({ forgottenAt }) => forgottenAt),
    ),
    ...(rate === undefined ? {} : { interruptionsPer1000Hours: rate }),
  }
}

/** Interruptions per 1,000 hours of running instances. Undefined: there were too few hours. */
export function rateOf(records: readonly Pick<PoolRecord, 'interruptions' | 'seconds'>[]): number | undefined {
  const seconds = records.reduce((sum, record) => sum + record.seconds, 0)
  const interruptions = records.reduce((sum, record) => sum + record.interruptions, 0)
  return seconds < leastSeconds ? undefined : Math.round((interruptions * 1000 * 3600) / seconds)
}

function shown(record: PoolRecord, now: number) {
  const { reason, failures, nextProbeAt, refusedAt, served, interruptedAt, forgottenAt } = record
  return {
    state: stateOf(record, now),
    failures,
    ...(reason ? { reason } : {}),
    ...time('nextProbe', nextProbeAt),
    ...time('lastRefusal', refusedAt),
    ...time('lastSuccess', served?.at),
    ...time('lastInterruption', interruptedAt),
    ...time('forgottenAt', forgottenAt),
  }
}

function time<Name extends string>(name: Name, at: number | undefined): { readonly [name in Name]?: string } {
  return at === undefined ? {} : ({ [name]: rfc3339(at) } as { readonly [name in Name]: string })
}

/** Whoever waits for an offering wants to know these at once. */
const transitions = ['state', 'reason', 'failures', 'nextProbe', 'forgottenAt'] as const
const changes = ['lastRefusal', 'lastSuccess', 'lastSuccessRequested', 'lastInterruption', 'interruptions'] as const
const growing = ['instanceSeconds', 'lastUsed'] as const

const changesEveryMs = 30_000
const growsEveryMs = 60 * 60_000

/**
 * When an entry has to be written that was written before, at the time `writtenAt`. Infinity: there is nothing to
 * write.
 */
export function dueAt(entry: CapacityPoolManager, before: CapacityPoolManager | undefined, writtenAt: number): number {
  const differs = (fields: readonly (keyof CapacityPoolManager)[]) =>
    fields.some((field) => before?.[field] !== entry[field])
  if (!before || differs(transitions)) return 0
  if (differs(changes)) return writtenAt + changesEveryMs
  return differs(growing) ? writtenAt + growsEveryMs : Infinity
}

/**
 * When the summary has to be written, if another one stands there. The rate alone is no reason: it changes with every
 * hour, and comes with the next write.
 */
export function summaryDueAt(
  { interruptionsPer1000Hours: _rate, ...summary }: CapacityPoolSummary,
  stored: CapacityPoolSummary | undefined,
  writtenAt: number,
): number {
  const isSame = Object.keys({ ...summary, ...stored })
    .filter((field) => field !== 'interruptionsPer1000Hours')
    .every((field) => stored?.[field as keyof typeof summary] === summary[field as keyof typeof summary])
  return isSame ? Infinity : writtenAt + changesEveryMs
}
