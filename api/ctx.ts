/** What every function that waits, logs or does I/O is given, as its last parameter. Types only. */
export interface Ctx {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly log: Log
}

/** Time as a value: tests move it, and a stopped process leaves no timer behind. */
export interface Clock {
  /** Milliseconds since the epoch, for what people and other programs read. */
  now(): number
  /** Milliseconds that only ever grow, for measuring how long something took or waited. */
  monotonic(): number
  /** Calls `run` once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void
  /** Resolves after `ms`; rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export type LogFields = Readonly<Record<string, unknown>>

/** Constant messages, details as fields. Never user data, never a credential. */
export interface Log {
  /** Each request and its end, and nothing that was in it. */
  trace(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** The same log with these fields on every line. */
  with(fields: LogFields): Log
}
