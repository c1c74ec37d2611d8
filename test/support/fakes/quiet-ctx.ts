import type { Clock, Ctx, Log } from '../../../api/ctx.ts'
import { FakeClock } from './fake-clock.ts'

/** A log that keeps what it is given, for tests that ask what was said (and what must never be). */
export interface KeptLog extends Log {
  readonly lines: string[]
  /** Each request: kept apart, as hardly a test asks for them. */
  readonly traces: string[]
}

export function keptLog(lines: string[] = [], fixed: object = {}, traces: string[] = []): KeptLog {
  const keep =
    (level: string, kept = lines) =>
    (message: string, fields: object = {}) => {
      kept.push(JSON.stringify({ level, message, ...fixed, ...fields }))
    }
  return {
    lines,
    traces,
    trace: keep('trace', traces),
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    with: (fields) => keptLog(lines, { ...fixed, ...fields }, traces),
  }
}

/** A context for unit tests: a clock that stands still, a log that keeps, a signal that never fires unless given. */
export function quietCtx(over: { signal?: AbortSignal; clock?: Clock; log?: Log } = {}): Ctx {
  return { signal: new AbortController().signal, clock: new FakeClock(), log: keptLog(), ...over }
}
