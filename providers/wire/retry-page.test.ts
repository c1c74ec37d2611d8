import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { Limiter } from './limiter.ts'
import { retryPage } from './retry-page.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'

const refusal = (kind: RefusalKind, retryAfterMs?: number) =>
  new CloudError(kind, { code: `Its${kind}`, message: 'Refused.', retryAfterMs })

/** A page of which these calls fail, one after the other; then there it is. */
function aPage(...failures: readonly Error[]) {
  const clock = new FakeClock(0)
  const stop = new AbortController()
  const calls: number[] = []
  const page = async () => {
    calls.push(clock.monotonic())
    const failure = failures[calls.length - 1]
    if (failure !== undefined) throw failure
    return 'the page'
  }
  const ctx = { clock, signal: stop.signal }
  const answer = retryPage(page, ctx).catch((thrown: unknown) => thrown)
  return { answer, calls, clock, stop }
}

describe('a page that is refused', () => {
  it.each<RefusalKind>(['throttled', 'transient', 'ambiguous'])(
    '%s: is asked for again after a pause',
    async (kind) => {
      const { answer, calls, clock } = aPage(refusal(kind), refusal(kind))
      await clock.advance(10_000)
      expect(await answer).toBe('the page')
      expect(calls).toEqual([0, 500, 1_500])
    },
  )

  it('every time: is given up after three calls, with the last refusal', async () => {
    const refusals = [1, 2, 3, 4].map(() => refusal('transient'))
    const { answer, calls, clock } = aPage(...refusals)
    await clock.advance(60_000)
    expect(await answer).toBe(refusals[2])
    expect(calls).toHaveLength(3)
  })

  it('is asked for no sooner than the cloud wants, and not at all where that is long', async () => {
    const soon = aPage(refusal('throttled', 3_000))
    await soon.clock.advance(10_000)
    expect(soon.calls).toEqual([0, 3_000])
    const late = aPage(refusal('throttled', 20_000))
    await late.clock.advance(60_000)
    expect(await late.answer).toMatchObject({ retryAfterMs: 20_000 })
    expect(late.calls).toEqual([0])
  })

  it.each<Error>([refusal('denied'), refusal('invalid'), refusal('missing'), new TypeError('a mistake of ours')])(
    'for what will not pass: %s',
    async (failure) => {
      const { answer, calls, clock } = aPage(failure)
      await clock.advance(60_000)
      expect(await answer).toBe(failure)
      expect(calls).toHaveLength(1)
    },
  )
})

it('a call that nobody answers for long is not repeated: somebody waits', async () => {
  const clock = new FakeClock(0)
  let calls = 0
  const hanging = async () => {
    calls += 1
    await clock.sleep(30_000, new AbortController().signal)
    throw refusal('ambiguous')
  }
  const answer = retryPage(hanging, { clock, signal: new AbortController().signal }).catch((thrown: unknown) => thrown)
  await clock.advance(120_000)
  expect(await answer).toMatchObject({ kind: 'ambiguous' })
  expect(calls).toBe(1)
})

it('who gives up meanwhile ends at once, and leaves no timer', async () => {
  const refused = refusal('transient')
  const { answer, calls, clock, stop } = aPage(refused)
  await clock.advance(100)
  stop.abort(new Error('stopped'))
  expect(await answer).toBe(refused)
  expect(calls).toHaveLength(1)
  expect(clock.pending).toBe(0)
})

it('whom our own limiter sends away is away: his turn comes later, and is no failure of the page', async () => {
  const clock = new FakeClock(0)
  const ctx = quietCtx({ clock })
  const limiter = new Limiter({ calls: { burst: 1, perSecond: 0.5 } })
  const turn = { bucket: 'calls', priority: 'describe', maxWaitMs: 0 } as const
  await limiter.run(turn, async () => 'first', ctx)
  let asked = 0
  const sentAway = retryPage(() => {
    asked += 1
    return limiter.run(turn, async () => 'second', ctx)
  }, ctx).catch((thrown: unknown) => thrown)
  await clock.advance(60_000)
  expect(await sentAway).toMatchObject({ code: 'LocalRateLimit' })
  expect(asked).toBe(1)
})
