import { expect, it } from 'vitest'
import type { Ctx } from '../../../api/ctx.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { ApiError } from '../client/api-error.ts'
import type { RequestMade, Verb } from '../client/observed-client.ts'
import { Reachability } from './reachability.ts'

const away = new ApiError({ status: 0, reason: 'Unreachable', message: 'connection refused' })
const broken = new ApiError({ status: 500, reason: 'InternalError', message: 'etcd is gone' })

function setting(probe: (ctx: Ctx) => Promise<unknown> = () => Promise.resolve()) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const probes: number[] = []
  const counted = (ctx: Ctx) => {
    probes.push(clock.monotonic())
    return probe(ctx)
  }
  const reachability = new Reachability({ probe: counted }, { clock })
  const note = (verb: Verb, error?: ApiError, begunAt = clock.monotonic()) =>
    reachability.note({ verb, begunAt, ms: 1, ...(error ? { error } : {}) } satisfies RequestMade)
  const run = () => reachability.run(quietCtx({ clock, signal: stop.signal }))
  return { clock, reachability, note, run, probes, stop }
}

it('has to be shown first', () => {
  const { reachability, note } = setting()
  expect(reachability.why()).toMatch(/has not answered yet/)
  note('get')
  expect(reachability.why()).toBeUndefined()
})

it('is not shown by what an API server without etcd answers, too', () => {
  const { reachability, note } = setting()
  note('watch')
  note('raw')
  expect(reachability.why()).toMatch(/has not answered yet/)
})

it('is disproved by one request without an answer, and shown again by the next with one', async () => {
  const { clock, reachability, note } = setting()
  note('get')
  await clock.advance(100)
  note('patch', away)
  expect(reachability.why()).toBe('connection refused')
  await clock.advance(100)
  note('get')
  expect(reachability.why()).toBeUndefined()
})

it('is neither shown nor disproved by a refusal', async () => {
  const { clock, reachability, note } = setting()
  note('get')
  await clock.advance(100)
  note('patch', broken)
  note('get', new ApiError({ status: 403, reason: 'Forbidden', message: 'no' }))
  expect(reachability.why()).toBeUndefined()
})

it('is decided by the request that began last, whichever ended last', async () => {
  const { clock, reachability, note } = setting()
  const begunInOutage = clock.monotonic()
  await clock.advance(20_000)
  note('get')
  await clock.advance(10)
  note('list', away, begunInOutage)
  expect(reachability.why()).toBeUndefined()
})

it('fades when nothing is heard any more', async () => {
  const { clock, reachability, note } = setting()
  note('get')
  await clock.advance(5_000)
  expect(reachability.why()).toBeUndefined()
  await clock.advance(1)
  expect(reachability.why()).toMatch(/not answered for 5 s/)
})

it('is asked for every 2 s when all is silent, and not while others are heard', async () => {
  const { clock, reachability, note, run, probes } = setting()
  void run()
  await clock.advance(6_000)
  expect(probes.length).toBe(4)
  expect(reachability.why()).toBeUndefined()
  for (let at = 0; at < 20; at++) {
    note('patch')
    await clock.advance(1_500)
  }
  expect(probes.length).toBe(4)
})

it('sees within seconds that etcd is gone, though the API server answers and every watch is open', async () => {
  let fails = false
  const { clock, reachability, run } = setting(() => (fails ? Promise.reject(broken) : Promise.resolve()))
  void run()
  await clock.advance(1_000)
  expect(reachability.why()).toBeUndefined()
  fails = true
  await clock.advance(2_000)
  expect(reachability.why()).toBe('etcd is gone')
  fails = false
  await clock.advance(2_000)
  expect(reachability.why()).toBeUndefined()
})

it('is proven by an answer of this very moment, or by asking', async () => {
  let fails = false
  const { clock, reachability, note, probes } = setting(() => (fails ? Promise.reject(broken) : Promise.resolve()))
  note('patch')
  await clock.advance(499)
  await reachability.prove(quietCtx({ clock }))
  expect(probes).toHaveLength(0)
  await clock.advance(1)
  await reachability.prove(quietCtx({ clock }))
  expect(probes).toHaveLength(1)
  expect(reachability.why()).toBeUndefined()
  fails = true
  await clock.advance(1_000)
  expect(reachability.why()).toBeUndefined()
  await reachability.prove(quietCtx({ clock }))
  expect(reachability.why()).toBe('etcd is gone')
})

it('takes a probe without an answer for a failed one, and leaves nothing behind', async () => {
  const never = ({ signal }: Ctx) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  const { clock, reachability, run, stop } = setting(never)
  const running = run()
  await clock.advance(2_999)
  expect(reachability.why()).toMatch(/has not answered yet/)
  await clock.advance(1)
  expect(reachability.why()).toBe('The API server has not answered within 3 s.')
  await clock.advance(2_500)
  stop.abort(new Error('over'))
  await running
  expect(clock.pending).toBe(0)
})
