import { expect } from 'vitest'
import { thrownBy } from '../../support/thrown-by.ts'
import type { RecordedRequest } from '../kit/http/journal.ts'
import type { Page, SimulatorRig, Wish } from './rig.ts'
import type { Words } from './words.ts'

/** All pages of the list, by ids. Fails when there is no end of them. */
export async function pagesOf(rig: SimulatorRig, between: (ids: readonly string[]) => void = () => {}) {
  const seen: (readonly string[])[] = []
  let next: string | undefined
  do {
    const page: Page = await rig.page(next)
    const ids = page.items.map(({ id }) => id)
    seen.push(ids)
    between(ids)
    next = page.next
  } while (next !== undefined && seen.length < 30)
  expect(next, 'the last page leads no further').toBeUndefined()
  return seen
}

/** The states of all listed instances. */
export async function statesOf(rig: SimulatorRig): Promise<readonly string[]> {
  return (await rig.page()).items.map(({ state }) => state)
}

/** What was recorded of the creations. */
export function creationsOf({ simulator }: SimulatorRig, { create }: Words): readonly RecordedRequest[] {
  return simulator.requests.filter(({ action }) => action === create)
}

export async function createMany(rig: SimulatorRig, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  // Names in the order of the alphabet: one cloud lists by name.
  for (let at = 0; at < count; at++) ids.push(await rig.create({ name: `many-${String(at).padStart(2, '0')}` }))
  return ids
}

/** What a second creation under the same name comes to: the id of the first, or the code of the refusal. */
export async function createAgain(rig: SimulatorRig, name: string): Promise<string> {
  const call = rig.create({ name })
  return call.catch(async () => (await rig.refusalOf(call)).code)
}

export async function createRunning(rig: SimulatorRig, wish?: Wish): Promise<string> {
  const id = await rig.create(wish)
  await rig.clock.advance(2000)
  return id
}

/** How a call ended, in all the words of its client. The call may fail before anybody waits for it. */
export async function endOf(call: Promise<unknown>): Promise<string> {
  const thrown = await thrownBy(call)
  return thrown === undefined ? 'answered' : sentenceOf(thrown)
}

function sentenceOf(error: unknown): string {
  const { name, code, status, statusCode, statusText, message, $metadata } = error as Error & ClientError
  return [name, code, status, statusCode, $metadata?.httpStatusCode, statusText, message].join(' ')
}

/** Where clients put what they were told. */
interface ClientError {
  readonly code?: unknown
  readonly status?: number
  readonly statusCode?: number
  readonly statusText?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}
