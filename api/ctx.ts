/** The last parameter of every function that waits, logs or does I/O. Types only. */
export interface Ctx {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly log: Log
}

/** Time as a value: tests move it, and a stopped process leaves no timer behind. */
export interface Clock {
  /** Milliseconds since the epoch, for people and other programs. */
  now(): number
  /** Milliseconds that only grow, to measure durations. */
  monotonic(): number
  /** Calls `run` once after `ms`. The returned function cancels it. */
  after(ms: number, run: () => void): () => void
  /** Resolves after `ms`. Rejects with the signal's reason if that comes first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export type LogFields = Readonly<Record<string, unknown>>

/** Constant messages, details as fields. Never user data, never a credential. */
export interface Log {
  /** One line for each request and its end, without its content. */
  trace(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** The same log with these fields on every line. */
  with(fields: LogFields): Log
}
