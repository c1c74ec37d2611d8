import { describe, expect, it } from 'vitest'
import type { Scope } from '../../api/scope.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { HeldNotices } from './held-notices.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', account: '123456789012', region: 'us-east-1' }

function rig({ isListed = true, hasAttempts = true } = {}) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const ctx = quietCtx({ clock, signal: stop.signal })
  const asked: string[] = []
  /** When the last complete list began, and what it shows. */
  let list = { at: Number.NEGATIVE_INFINITY, shows: [] as string[] }
  const held = new HeldNotices({
    isForeign: (_, id, since) => list.at > since && !list.shows.includes(id),
    isListed: () => isListed,
    hasAttempts: () => hasAttempts,
    listNow: (cloud, region) => void asked.push(`${cloud} ${region}`),
  })
  const listed = (at: number, shows: string[] = [], region = scope.region) => {
    list = { at, shows }
    held.listed('aws', region)
  }
  return { clock, stop, ctx, asked, held, listed }
}

describe('an instance that no machine has', () => {
  it('is foreign when a list that began later lacks it', async () => {
    const { held, ctx, clock, listed } = rig()
    const outcome = held.hold(scope, 'i-1', ctx)
    listed(clock.now() - 1)
    expect(held.size).toBe(1)
    listed(clock.now() + 1)
    await expect(outcome).resolves.toBe('foreign')
    expect([held.size, clock.pending]).toEqual([0, 0])
  })

  it('is known when its machine comes', async () => {
    const { held, ctx, clock, listed } = rig()
    const outcome = held.hold(scope, 'i-1', ctx)
    listed(clock.now() + 1, ['i-1'])
    held.arrived('gcp', 'i-1')
    expect(held.size).toBe(1)
    held.arrived('aws', 'i-1')
    await expect(outcome).resolves.toBe('known')
  })

  it('waits for no list of another region', () => {
    const { held, ctx, clock, listed } = rig()
    void held.hold(scope, 'i-1', ctx)
    listed(clock.now() + 1, [], 'eu-west-1')
    expect(held.size).toBe(1)
  })

  it('is listed if no list comes by itself, once', async () => {
    const { held, ctx, clock, asked } = rig()
    void held.hold(scope, 'i-1', ctx)
    void held.hold(scope, 'i-1', ctx)
    await clock.advance(16_999)
    expect(asked).toEqual([])
    await clock.advance(60_000)
    expect(asked).toEqual(['aws us-east-1'])
  })

  it('is foreign after the same time where nobody lists and no machine has an attempt', async () => {
    const { held, ctx, clock, asked } = rig({ isListed: false, hasAttempts: false })
    const outcome = held.hold(scope, 'i-1', ctx)
    await clock.advance(16_999)
    expect(held.size).toBe(1)
    await clock.advance(1)
    await expect(outcome).resolves.toBe('foreign')
    expect([held.size, asked]).toEqual([0, []])
  })

  it.each([
    { isListed: true, hasAttempts: false },
    { isListed: false, hasAttempts: true },
  ])('waits on where an instance of ours may be: %o', async (where) => {
    const { held, ctx, clock } = rig(where)
    void held.hold(scope, 'i-1', ctx)
    await clock.advance(60_000)
    expect(held.size).toBe(1)
  })

  it('has one outcome for all messages', async () => {
    const { held, ctx, clock, listed } = rig()
    const outcomes = [held.hold(scope, 'i-1', ctx), held.hold(scope, 'i-1', ctx)]
    expect(held.size).toBe(1)
    listed(clock.now() + 1)
    await expect(Promise.all(outcomes)).resolves.toEqual(['foreign', 'foreign'])
  })

  it('is nobody’s when the message runs out: it comes again', async () => {
    const { held, ctx, stop, clock } = rig()
    const outcome = held.hold(scope, 'i-1', ctx)
    stop.abort(new Error('late'))
    await expect(outcome).rejects.toThrow('late')
    expect([held.size, clock.pending]).toEqual([0, 0])
  })

  it('is dropped beyond ten thousand others', async () => {
    const { held, ctx } = rig()
    for (let n = 0; n < 10_000; n++) void held.hold(scope, `i-${n}`, ctx)
    await expect(held.hold(scope, 'i-one-more', ctx)).resolves.toBe('dropped')
    expect(held.size).toBe(10_000)
  })
})
