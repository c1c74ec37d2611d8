import { getQueryParam } from 'ibm-cloud-sdk-core'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { WireSpoil } from '../kit/spoils.ts'
import { startIbm, type IbmFixture, type Json } from './fixture.ts'

async function page(ibm: IbmFixture, start?: string | null) {
  const qs = { limit: 5, ...(start ? { start } : {}) }
  const { result } = await ibm.client.call('GET', '/instances', { qs })
  const next = result['next'] as { href: string } | undefined
  return {
    names: (result['instances'] as Json[]).map(({ name }) => name),
    start: next ? getQueryParam(next.href, 'start') : undefined,
  }
}

async function pages(ibm: IbmFixture): Promise<unknown[][]> {
  const seen: unknown[][] = []
  for (let start: string | null | undefined = null; start !== undefined;) {
    const one = await page(ibm, start)
    seen.push(one.names)
    start = one.start
  }
  return seen
}

async function launchTwelve(ibm: IbmFixture): Promise<string[]> {
  const names = Array.from({ length: 12 }, (_, at) => `twelve-${at}`)
  for (const name of names) await ibm.launch({ name })
  return names
}

async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'no failure'
  } catch (error) {
    const { message, statusText } = error as Error & { statusText?: string }
    return `${statusText ?? ''} ${message}`
  }
}

test.each([
  ['an empty page', 'empty-page', [0, 5, 5, 2]],
  ['a page of half the size', 'short-page', [2, 5, 5]],
  ['a page of twice the size', 'long-page', [10, 2]],
] as const)('%s: whoever follows the links sees everything once all the same', async (_, how, sizes) => {
  await using ibm = await startIbm()
  const launched = await launchTwelve(ibm)
  ibm.simulator.control.spoilNext('list_instances', how)
  const seen = await pages(ibm)
  expect(seen.map(({ length }) => length)).toEqual(sizes)
  expect(seen.flat()).toEqual(launched)
})

test('nothing at all can take two pages', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.spoilNext('list_instances', 'empty-page')
  expect(await pages(ibm)).toEqual([[], []])
})

test('a link that repeats itself leads to the same page again', async () => {
  await using ibm = await startIbm()
  const launched = await launchTwelve(ibm)
  const first = await page(ibm)
  ibm.simulator.control.spoilNext('list_instances', 'repeated-token', 2)
  for (const again of [await page(ibm, first.start), await page(ibm, first.start)]) {
    expect(again).toEqual({ names: launched.slice(5, 10), start: first.start })
  }
  const { start } = await page(ibm, first.start)
  expect((await page(ibm, start)).names).toEqual(launched.slice(10))
})

test('a first page may lead to itself', async () => {
  await using ibm = await startIbm()
  const launched = await launchTwelve(ibm)
  ibm.simulator.control.spoilNext('list_instances', 'repeated-token', 2)
  const { start } = await page(ibm)
  expect(await page(ibm, start)).toEqual({ names: launched.slice(0, 5), start })
})

test('the last page of several never comes; a list of one page is left alone', async () => {
  await using ibm = await startIbm()
  const launched = await launchTwelve(ibm)
  ibm.simulator.control.spoilNext('list_instances', 'lost-page')
  expect(await ibm.client.list('instances')).toHaveLength(12)
  expect(await failureOf(pages(ibm))).toMatch(/ECONNRESET|socket hang up/)
  const lists = ibm.simulator.requests.filter(({ action }) => action === 'list_instances')
  expect(lists.map(({ lost }) => lost)).toEqual([false, false, false, true])
  expect((await pages(ibm)).flat()).toEqual(launched)
})

test.each<[WireSpoil, object]>([
  // An error that bears the status of a success: whoever goes by the status alone believes in an answer.
  ['cut-body', { status: 201, message: 'Created' }],
  ['half-body', { message: expect.stringContaining('Error processing HTTP response') as string }],
  ['garbage', { message: expect.stringContaining('Error processing HTTP response') as string }],
  ['proxy-page', { status: 502, message: 'Bad Gateway' }],
])('%s is an error to the client, though the call was done', async (how, failure) => {
  await using ibm = await startIbm()
  ibm.simulator.control.spoilNext('create_instance', how)
  await expect(ibm.launch({ name: 'harmed' })).rejects.toMatchObject(failure)
  expect(ibm.simulator.control.instances()).toMatchObject([{ name: 'harmed' }])
})

test('a document of another kind is no error to the client: it reads an answer in which nothing stands', async () => {
  await using ibm = await startIbm()
  await launchTwelve(ibm)
  ibm.simulator.control.spoilNext('list_instances', 'foreign-document')
  expect((await ibm.client.call('GET', '/instances')).result).toEqual({ status: 'ok' })
})

test('a call that hangs is done and not answered, until the faults are cleared', async () => {
  await using ibm = await startIbm()
  await ibm.client.list('vpcs')
  await ibm.control('spoil-next', { action: 'create_instance', how: 'hang' })
  let isOver = false
  const ending = failureOf(ibm.launch()).finally(() => (isOver = true))
  await until(() => ibm.simulator.requests.at(-1)?.lost === true, 'the call to hang')
  expect(ibm.simulator.control.instances()).toHaveLength(1)
  await ibm.clock.advance(600_000)
  expect(isOver).toBe(false)
  await ibm.control('clear-faults', {})
  expect(await ending).toMatch(/ECONNRESET|socket hang up/)
})
