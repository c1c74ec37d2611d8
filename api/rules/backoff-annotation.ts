import { rfc3339, timeOf } from '../conditions.ts'
import type { BackoffGroup, Probe } from './backoff-group.ts'

/** The backoff of a Cluster: by policy (`policyKeyOf`), then by name of the group. */
export type Backoff = ReadonlyMap<string, ReadonlyMap<string, BackoffGroup>>

/** An object has room for 256 KiB of annotations, and other controllers need some of it. */
const longestText = 128 * 1024

/** A higher count cannot be true. */
const mostFailures = 1_000_000

/**
 * As many groups as an annotation has room for; the newest failures come first. The process keeps no more either,
 * because a tenant could fill its memory.
 */
export function fittingBackoff(backoff: Backoff): Backoff {
  const all = [...backoff].flatMap(([policyKey, groups]) =>
    [...groups].map(([name, group]) => ({ policyKey, name, group })),
  )
  let room = longestText
  const kept = all
    .toSorted((a, b) => b.group.failedAt - a.group.failedAt)
    .filter(({ policyKey, name, group }) => {
      room -= JSON.stringify({ [policyKey]: { [name]: written(group) } }).length
      return room >= 0
    })
  const policies = Map.groupBy(kept, ({ policyKey }) => policyKey)
  const groupsIn = (groups: typeof kept) => new Map(groups.map(({ name, group }) => [name, group]))
  return new Map([...policies].map(([policyKey, groups]) => [policyKey, groupsIn(groups)]))
}

/**
 * The text of the annotation. After a restart, with another leader and after a move, the backoff goes on where it was.
 */
export function writeBackoff(backoff: Backoff): string | undefined {
  const fitting = fittingBackoff(backoff)
  if (fitting.size === 0) return undefined
  return JSON.stringify(fromSorted([...fitting], (groups) => fromSorted([...groups], written)))
}

/** Skips malformed entries. The result counts only for the Machines of the Cluster that it stands on. */
export function readBackoff(text: string | undefined): Map<string, Map<string, BackoffGroup>> {
  const policies = Object.entries(parsed(text)).map(([policyKey, value]) => [policyKey, readGroups(value)] as const)
  return new Map(policies.filter(([, groups]) => groups.size > 0))
}

/**
 * Reads the older form on MachineDeployments and MachineSets: groups alone, each with the time of the next try. A
 * policy computed that time, so it is ignored.
 */
export function readOldBackoff(text: string | undefined): Map<string, BackoffGroup> {
  return readGroups(parsed(text))
}

function fromSorted<T>(entries: readonly (readonly [string, T])[], write: (value: T) => object): object {
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, value]) => [key, write(value)]))
}

function written({ failures, failedAt, cameUp, missedAt, probe, openedAt, released }: BackoffGroup): object {
  return {
    failures,
    failedAt: rfc3339(failedAt),
    ...(cameUp ? { cameUp } : {}),
    ...(missedAt === undefined ? {} : { missedAt: rfc3339(missedAt) }),
    ...(probe ? { probe: { ...probe, at: rfc3339(probe.at) } } : {}),
    ...(openedAt === undefined ? {} : { openedAt: rfc3339(openedAt) }),
    ...(released === undefined ? {} : { released }),
  }
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function readGroups(value: unknown): Map<string, BackoffGroup> {
  if (!isRecord(value)) return new Map()
  const read = Object.entries(value).map(([name, group]) => [name, readGroup(group)] as const)
  return new Map(read.filter((entry): entry is [string, BackoffGroup] => entry[1] !== undefined))
}

function readGroup(value: unknown): BackoffGroup | undefined {
  if (!isRecord(value)) return undefined
  const { failures, cameUp, probe, released } = value
  const [failedAt, missedAt, openedAt] = ['failedAt', 'missedAt', 'openedAt'].map((field) => timeIn(value[field]))
  if (!isCount(failures) || failures < 1 || failedAt === undefined) return undefined
  const known = readProbe(probe)
  return {
    failures,
    failedAt,
    ...(cameUp === true ? { cameUp } : {}),
    ...(missedAt === undefined ? {} : { missedAt }),
    ...(known ? { probe: known } : {}),
    ...(openedAt === undefined ? {} : { openedAt }),
    ...(isCount(released) ? { released } : {}),
  }
}

function readProbe(value: unknown): Probe | undefined {
  if (!isRecord(value)) return undefined
  const { machine, owner } = value
  const at = timeIn(value['at'])
  if (typeof machine !== 'string' || typeof owner !== 'string' || at === undefined) return undefined
  return { machine, owner, at }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= mostFailures
}

function timeIn(value: unknown): number | undefined {
  return typeof value === 'string' ? timeOf(value) : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
