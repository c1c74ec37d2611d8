/**
 * What a cloud's refusal means to us. Each cloud has one table from its codes to these kinds (`<cloud>/errors.ts`);
 * the loop has one table from a kind to what it does (`controllers/machine/launch/on-error.ts`).
 */
export type ErrorKind =
  /** This offering (type, zone, capacity type) is not to be had now. */
  | 'capacity'
  /** The account may have no more of this class. */
  | 'quota'
  /** The spot price is above the maximum that was set. */
  | 'price'
  /** The subnet has no free address. */
  | 'subnet'
  /** The capacity reservation is empty, ended or unknown. */
  | 'reservation'
  /** Too many calls: the bucket pauses for all callers. */
  | 'throttled'
  /** The cloud failed; nothing was done. */
  | 'transient'
  /** No answer, or one that leaves open whether it was done. Only the same token may follow. */
  | 'ambiguous'
  /** Credentials or permissions. A person has to act; the machine is not at fault. */
  | 'denied'
  /** The request can never succeed as it is. */
  | 'invalid'
  /** The name or the token is taken. */
  | 'conflict'
  /** What the token made has ended and is shown no more: nothing else can come of it. */
  | 'ended'
  /** There is no such thing (any more, or not yet visible). */
  | 'missing'

export interface CloudErrorOptions {
  /** The cloud's own code, as it stands in its documents. */
  code: string
  /** One sentence of the cloud. Adapters see to it that neither user data nor credentials stand in it. */
  message: string
  /** How long the cloud asked us to wait. */
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** What stands in a table for a code of the cloud, whatever words it uses: `constructor` is no entry. */
export function inTable<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

/** More no condition, event or log line has room for, whatever a cloud or somebody else has put into a name. */
const longestOfAll = 1_000

/** No more of a cloud's sentence than people read. */
export function shortened(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 1)}…`
}

const longestMessage = 300

const heldCode = 'WritesHeld'

/** Not the cloud's refusal but our own: nothing that changes something may be sent at this moment. */
export function writesHeld(why: string): CloudError {
  return new CloudError('transient', { code: heldCode, message: why, retryAfterMs: 1_000 })
}

/** Whoever asked gave up before anything was sent. */
export function givenUp({ reason }: AbortSignal): CloudError {
  const message = 'The call was cancelled before it was sent.'
  return new CloudError('transient', { code: 'GivenUp', message, cause: reason })
}

export function areWritesHeld({ code }: CloudError): boolean {
  return code === heldCode
}

export class CloudError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor(kind: ErrorKind, { code, message, retryAfterMs, cause }: CloudErrorOptions) {
    super(message.slice(0, longestOfAll), { cause })
    this.name = 'CloudError'
    this.kind = kind
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** The same refusal, where we know better than its code that it passes by itself. */
export function passing({ code, message }: CloudError): CloudError {
  return new CloudError('transient', { code, message })
}
