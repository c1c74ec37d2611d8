import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Numeric ids have up to 20 digits: more than a number of JavaScript holds, so they are text. */
export function newId(): string {
  const rest = Array.from({ length: 18 }, () => randomInt(10)).join('')
  return `${randomInt(1, 9)}${rest}`
}

/** The name of an operation holds the time at which it began. */
export function newOperationName(prefix: 'operation' | 'systemevent', now: number): string {
  const [first, second, third] = [randomBytes(6), randomBytes(4), randomBytes(4)].map((one) => one.toString('hex'))
  return `${prefix}-${now}-${first}-${second}-${third}`
}

/** By which GCE tells whether something has changed. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, 8).toString('base64url') + '='
}

const requestIds = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isRequestId(text: string): boolean {
  return requestIds.test(text) && /[1-9a-f]/i.test(text)
}

export const nameForm = '(?:[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)'
const names = new RegExp(`^${nameForm}$`)

export function isName(text: string): boolean {
  return names.test(text)
}

/** Times as GCE writes them: not in UTC, so that whoever compares them as text is wrong. */
export function gceTime(milliseconds: number): string {
  const shifted = new Date(milliseconds - 8 * 3_600_000)
  return shifted.toISOString().replace('Z', '-08:00')
}
