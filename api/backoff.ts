import { rfc3339 } from './conditions.ts'
import type { Lane, Pace, Probe } from './rules/lanes.ts'

/**
 * Lanes as an annotation keeps them, for whoever comes after us and for people: a restart, another leader and a moved
 * cluster go on where the last one was.
 */
export function writeBackoff(lanes: ReadonlyMap<string, Lane>): string | undefined {
  if (lanes.size === 0) return undefined
  const sorted = [...lanes].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(sorted.map(([name, lane]) => [name, written(lane)])))
}

/**
 * What is not well formed is left out. No time that is written here can hold back a machine for longer than `pace`
 * allows.
 */
export function readBackoff(text: string | undefined, { now, pace }: { now: number; pace: Pace }): Map<string, Lane> {
  const lanes = new Map<string, Lane>()
  for (const [name, value] of Object.entries(parsed(text))) {
    const lane = read(value)
    if (!lane) continue
    const until = Math.min(lane.until, now + pace.maxMs)
    lanes.set(name, { ...lane, until, failedAt: Math.min(lane.failedAt, now) })
  }
  return lanes
}

function written({ failures, failedAt, until, probe, openedAt, released }: Lane): object {
  return {
    failures,
    failedAt: rfc3339(failedAt),
    until: rfc3339(until),
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

function read(value: unknown): Lane | undefined {
  if (!isRecord(value)) return undefined
  const { failures, probe, released } = value
  const [failedAt, until, openedAt] = [timeOf(value['failedAt']), timeOf(value['until']), timeOf(value['openedAt'])]
  if (!Number.isSafeInteger(failures) || (failures as number) < 1 || failedAt === undefined || until === undefined) {
    return undefined
  }
  const known = readProbe(probe)
  return {
    failures: failures as number,
    failedAt,
    until,
    ...(known ? { probe: known } : {}),
    ...(openedAt === undefined ? {} : { openedAt }),
    ...(Number.isSafeInteger(released) ? { released: Math.max(0, released as number) } : {}),
  }
}

function readProbe(value: unknown): Probe | undefined {
  if (!isRecord(value)) return undefined
  const { machine, owner } = value
  const at = timeOf(value['at'])
  if (typeof machine !== 'string' || typeof owner !== 'string' || at === undefined) return undefined
  return { machine, owner, at }
}

function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
