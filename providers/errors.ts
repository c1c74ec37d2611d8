import { CloudError } from '../api/cloud-error.ts'

/**
 * The entry of a code of the cloud. No word of the cloud leads to a property that every object has, like `constructor`.
 */
export function inTable<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

/** A cloud's sentence, cut to the length that people read. */
export function shortened(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 1)}…`
}

const longestMessage = 300

const heldCode = 'WritesHeld'

/** A refusal of our own, not of the cloud: writes are held at this moment. */
export function writesHeld(why: string): CloudError {
  return new CloudError('transient', { code: heldCode, message: why, retryAfterMs: 1_000 })
}

const heldBackCode = 'CapacityBackoff'

/** A refusal of our own: the offering was refused to another machine while this one waited for its turn. */
export function heldBack(): CloudError {
  return new CloudError('transient', { code: heldBackCode, message: 'Its offering was refused to another machine.' })
}

export function isHeldBack({ code }: CloudError): boolean {
  return code === heldBackCode
}

/** The caller gave up before anything was sent. */
export function givenUp({ reason }: AbortSignal): CloudError {
  const message = 'The call was cancelled before it was sent.'
  return new CloudError('transient', { code: 'GivenUp', message, cause: reason })
}

export function areWritesHeld({ code }: CloudError): boolean {
  return code === heldCode
}

/** The same refusal as 'transient', where we know that it passes and its code does not say so. */
export function passing({ code, message }: CloudError): CloudError {
  return new CloudError('transient', { code, message })
}
