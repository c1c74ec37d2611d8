import { CloudError } from '../api/cloud-error.ts'

/** What stands in a table for a code of the cloud, whatever words it uses: `constructor` is no entry. */
export function inTable<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

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

/** The same refusal, where we know better than its code that it passes by itself. */
export function passing({ code, message }: CloudError): CloudError {
  return new CloudError('transient', { code, message })
}
