import type { VpcImage, VpcInstance, VpcNamed, VpcProfile, VpcSubnet } from './vpc.ts'

/**
 * Reads what was answered with a yes. A proxy, a login page or another service may have spoken in IBM's place: whatever
 * is not of the right shape is refused, so that it is neither an instance nor, in place of a list, that there is none.
 */
export class ForeignAnswer extends Error {
  constructor() {
    super('What answered is not the VPC API of IBM Cloud; check the endpoint, and proxies on the way to it.')
    this.name = 'ForeignAnswer'
  }
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Where the next page begins; undefined: there is none. */
  readonly next: string | undefined
}

/** `items` of it stand in `collection`; `next.href` may be a whole address or only the end of one. */
export function pageOf<T>(collection: string, read: (item: unknown) => T): (answer: unknown) => Page<T> {
  return (answer) => {
    const page = objectIn(answer)
    const items = page[collection]
    if (!Array.isArray(items)) throw new ForeignAnswer()
    return { items: items.map(read), next: startIn(page['next']) }
  }
}

function startIn(next: unknown): string | undefined {
  if (next === undefined || next === null) return undefined
  const href = objectIn(next)['href']
  const start = typeof href === 'string' ? new URLSearchParams(href.slice(href.indexOf('?') + 1)).get('start') : null
  // A list that goes on, we know not where, must not be taken for a whole one.
  if (!start) throw new ForeignAnswer()
  return start
}

export function readInstance(answer: unknown): VpcInstance {
  const { profile, zone } = withTexts(answer, ['id', 'name', 'crn', 'status'])
  withTexts(profile, ['name'])
  withTexts(zone, ['name'])
  return answer as VpcInstance
}

export function readProfile(answer: unknown): VpcProfile {
  const { vcpu_count: cpus, memory, vcpu_architecture: architecture } = withTexts(answer, ['name'])
  for (const part of [cpus, memory, architecture]) objectIn(part)
  return answer as VpcProfile
}

export function readImage(answer: unknown): VpcImage {
  withTexts(answer, ['id', 'name', 'status'])
  return answer as VpcImage
}

export function readSubnet(answer: unknown): VpcSubnet {
  const { zone, vpc } = withTexts(answer, ['id'])
  withTexts(zone, ['name'])
  withTexts(vpc, ['id'])
  return answer as VpcSubnet
}

export function readNamed(answer: unknown): VpcNamed {
  withTexts(answer, ['id', 'name'])
  return answer as VpcNamed
}

/** A deletion says yes without a word. */
export function readNothing(): undefined {
  return undefined
}

/** What fits into a header: a longer one every server refuses with an answer that does not speak of credentials. */
const sendable = /^[\x21-\x7e]{1,8000}$/

/** IAM's answer to an API key. */
export function readToken(answer: unknown): { readonly accessToken: string; readonly lifeMs: number } {
  const { access_token: accessToken, expires_in: life } = objectIn(answer)
  if (typeof accessToken !== 'string' || !sendable.test(accessToken) || typeof life !== 'number') {
    throw new ForeignAnswer()
  }
  return { accessToken, lifeMs: life * 1_000 }
}

function withTexts(answer: unknown, names: readonly string[]): Record<string, unknown> {
  const object = objectIn(answer)
  if (names.some((name) => typeof object[name] !== 'string' || object[name] === '')) throw new ForeignAnswer()
  return object
}

function objectIn(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw new ForeignAnswer()
  return answer as Record<string, unknown>
}
