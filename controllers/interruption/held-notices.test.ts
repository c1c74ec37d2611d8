import { describe, expect, it, vi } from 'vitest'
import type { Scope } from '../../api/scope.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { HeldNotices, type Outcome } from './held-notices.ts'

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
  /** Resolves when the message may be acknowledged, with what became of its instances. */
  const holdAll = async (ids: readonly string[], signal = stop.signal) => {
    const outcomes = new Map<string, Outcome>()
    await held.hold(scope, ids, (id, outcome) => outcomes.set(id, outcome), { ...ctx, signal })
    return Object.fromEntries(outcomes)
  }
  const hold = async (id: string, signal?: AbortSignal) => (await holdAll([id], signal))[id]
  return { clock, stop, asked, held, hold, holdAll, listed }
}

describe('an instance that no machine has', () => {
  it('is foreign when a list that began later lacks it', async () => {
    const { held, hold, clock, listed } = rig()
    const outcome = hold('i-1')
    listed(clock.now() - 1)
    expect(held.size).toBe(1)
    listed(clock.now() + 1)
    await expect(outcome).resolves.toBe('foreign')
    expect([held.size, clock.pending]).toEqual([0, 0])
  })

  it('is known when its machine comes', async () => {
    const { held, hold, clock, listed } = rig()
    const outcome = hold('i-1')
    listed(clock.now() + 1, ['i-1'])
    held.arrived('gcp', 'i-1')
    expect(held.size).toBe(1)
    held.arrived('aws', 'i-1')
    await expect(outcome).resolves.toBe('known')
  })

  it('waits for no list of another region', () => {
    const { held, hold, clock, listed } = rig()
    void hold('i-1')
    listed(clock.now() + 1, [], 'eu-west-1')
    expect(held.size).toBe(1)
  })

  it('is listed if no list comes by itself, once', async () => {
    const { hold, clock, asked } = rig()
    void hold('i-1')
    void hold('i-1')
    await clock.advance(16_999)
    expect(asked).toEqual([])
    await clock.advance(60_000)
    expect(asked).toEqual(['aws us-east-1'])
  })

  it('is foreign after the same time where nobody lists and no machine has an attempt', async () => {
    const { held, hold, clock, asked } = rig({ isListed: false, hasAttempts: false })
    const outcome = hold('i-1')
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
    const { held, hold, clock } = rig(where)
    void hold('i-1')
    await clock.advance(60_000)
    expect(held.size).toBe(1)
  })

  it('has one outcome for all messages', async () => {
    const { held, hold, clock, listed } = rig()
    const outcomes = [hold('i-1'), hold('i-1')]
    expect(held.size).toBe(1)
    listed(clock.now() + 1)
    await expect(Promise.all(outcomes)).resolves.toEqual(['foreign', 'foreign'])
  })

  it('is nobody’s when the message runs out: it comes again', async () => {
    const { held, hold, stop, clock } = rig()
    const outcome = hold('i-1')
    stop.abort(new Error('late'))
    await expect(outcome).rejects.toThrow('late')
    expect([held.size, clock.pending]).toEqual([0, 0])
  })

  it('of a message that runs out is still held for another message', async () => {
    const { held, hold, stop, clock, listed } = rig()
    const [first, second] = [hold('i-1'), hold('i-1', new AbortController().signal)]
    stop.abort(new Error('late'))
    await expect(first).rejects.toThrow('late')
    expect(held.size).toBe(1)
    listed(clock.now() + 1)
    await expect(second).resolves.toBe('foreign')
    expect(held.size).toBe(0)
  })

  it('is dropped beyond two thousand others', async () => {
    const { held, hold } = rig()
    for (let n = 0; n < 2_000; n++) void hold(`i-${n}`)
    await expect(hold('i-one-more')).resolves.toBe('dropped')
    expect(held.size).toBe(2_000)
  })
})

describe('a message with many instances', () => {
  const ids = Array.from({ length: 50 }, (_, n) => `i-${n}`)

  it('has one timer and one listener', () => {
    const { holdAll, stop, clock } = rig()
    const listens = vi.spyOn(stop.signal, 'addEventListener')
    void holdAll(ids)
    expect([clock.pending, listens.mock.calls.length]).toEqual([1, 1])
  })

  it('may be acknowledged when all of them have their outcome', async () => {
    const { held, holdAll, clock, listed } = rig()
    const outcomes = holdAll(ids)
    held.arrived('aws', 'i-0')
    expect(held.size).toBe(49)
    listed(clock.now() + 1, ['i-1'])
    expect(held.size).toBe(1)
    held.arrived('aws', 'i-1')
    const foreign = ids.slice(2).map((id) => [id, 'foreign'])
    await expect(outcomes).resolves.toEqual({ 'i-0': 'known', 'i-1': 'known', ...Object.fromEntries(foreign) })
    expect(clock.pending).toBe(0)
  })
})
