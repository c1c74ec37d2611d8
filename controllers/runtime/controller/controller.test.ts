import { describe, expect, it, onTestFinished } from 'vitest'
import type { Ctx } from '../../../api/ctx.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { turn, until } from '../../../test/support/until.ts'
import { ApiError } from '../client/api-error.ts'
import { runController, type ControllerOptions, type PassMade } from './controller.ts'
import type { Result } from './result.ts'
import { Queue } from './queue.ts'

/** A controller under way, with a clock that stands still. */
function start(reconcile: (key: string, ctx: Ctx) => Promise<Result>, over: Partial<ControllerOptions> = {}) {
  const clock = new FakeClock()
  const log = keptLog()
  const stop = new AbortController()
  const queue = new Queue({ clock })
  const passes: { key: string; at: number }[] = []
  const begun = clock.now()
  const options: ControllerOptions = {
    name: 'things',
    queue,
    workers: 1,
    random: () => 0,
    reconcile: (key, ctx) => {
      passes.push({ key, at: clock.now() - begun })
      return reconcile(key, ctx)
    },
    ...over,
  }
  const running = runController(options, quietCtx({ clock, log, signal: stop.signal }))
  const end = async () => {
    stop.abort()
    await running
  }
  onTestFinished(end)
  const times = () => passes.map(({ at }) => at)
  return { clock, end, log, passes, queue, running, stop, times }
}

const conflict = () => new ApiError({ status: 409, reason: 'Conflict', message: 'changed' })

describe('a controller', () => {
  it('passes over each key, and again when the pass asks for it', async () => {
    const wanted: Result[] = [{ requeueAfterMs: 5_000, reason: 'the instance boots' }, 'done']
    const { clock, log, queue, times } = start(async () => wanted.shift() ?? 'done')
    queue.add('ns/a')
    await clock.advance(60_000)
    expect(times()).toEqual([0, 5_000])
    expect(log.lines).toHaveLength(1)
    expect(JSON.parse(log.lines[0] ?? '')).toMatchObject({
      level: 'debug',
      reason: 'the instance boots',
      afterMs: 5_000,
    })
  })

  it('gives every pass a log of its own', async () => {
    const { clock, log, queue } = start(
      async (_, ctx) => {
        ctx.log.info('Passing')
        return 'done'
      },
      { kind: 'Thing' },
    )
    queue.add('ns/a')
    queue.add('ns/b')
    await clock.advance(0)
    const lines = log.lines.map((line) => JSON.parse(line) as Record<string, string>)
    expect(lines.map(({ controller, Thing }) => `${controller} ${Thing}`)).toEqual(['things ns/a', 'things ns/b'])
    expect(new Set(lines.map((line) => line['reconcileID'])).size).toBe(2)
  })

  it('waits longer from failure to failure, and begins anew after a success', async () => {
    let failures = 4
    const { clock, log, queue, times } = start(async () => {
      if (failures-- > 0) throw new Error('no such thing')
      return 'done'
    })
    queue.add('ns/a')
    await clock.advance(10_000)
    expect(times()).toEqual([0, 200, 600, 1_400, 3_000])
    expect(log.lines).toHaveLength(4)
    expect(log.lines[0]).toContain('"level":"error"')
    failures = 1
    queue.add('ns/a')
    await clock.advance(1_000)
    expect(times().slice(5)).toEqual([10_000, 10_200])
  })

  it('waits no longer than five minutes', async () => {
    const { clock, queue, times } = start(() => Promise.reject(new Error('for ever')))
    queue.add('ns/a')
    await clock.advance(3_600_000)
    const [last = 0, before = 0] = times().reverse()
    expect(last - before).toBe(300_000)
  })

  it('waits as long as an error asks for', async () => {
    const slow = new ApiError({ status: 429, reason: 'TooManyRequests', message: 'slow', retryAfterMs: 7_000 })
    const { clock, queue, times } = start(() => Promise.reject(slow))
    queue.add('ns/a')
    await clock.advance(7_000)
    expect(times()).toEqual([0, 7_000])
  })

  it('tries again soon and quietly after a conflict, and does not spin on a storm of them', async () => {
    const { clock, log, queue, times } = start(() => Promise.reject(conflict()))
    queue.add('ns/a')
    await clock.advance(60_000)
    expect(times().slice(0, 4)).toEqual([0, 50, 150, 350])
    expect(times().length).toBeLessThan(40)
    expect(log.lines.every((line) => line.includes('"level":"debug"'))).toBe(true)
  })

  it('lets one key that fails hold up no other', async () => {
    const { clock, passes, queue } = start(async (key) => {
      if (key === 'bad') throw new Error('always')
      return 'done'
    })
    queue.add('bad')
    queue.add('good')
    await clock.advance(0)
    expect(passes.map(({ key }) => key)).toEqual(['bad', 'good'])
  })

  it('goes on when a pass throws what is no error, or before it has begun', async () => {
    const { clock, queue, times } = start((key) => {
      if (key === 'sync') throw new Error('before the first await')
      return Promise.reject(null)
    })
    queue.add('sync')
    queue.add('nothing')
    await clock.advance(200)
    expect(times()).toEqual([0, 0, 200, 200])
  })

  it('works on as many keys at once as it has workers, and never on one twice', async () => {
    const under = new Set<string>()
    const twice: string[] = []
    let most = 0
    const { queue, passes } = start(
      async (key) => {
        if (under.has(key)) twice.push(key)
        under.add(key)
        most = Math.max(most, under.size)
        for (let n = 0; n < 5; n++) await turn()
        under.delete(key)
        return 'done'
      },
      { workers: 3 },
    )
    for (let n = 0; n < 20; n++) {
      for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key)
      await turn()
    }
    await until(() => passes.length >= 10 && under.size === 0)
    expect(most).toBe(3)
    expect(twice).toEqual([])
  })

  it('tells what came of each pass and how long it took, but for one that the end cut off', async () => {
    const made: PassMade[] = []
    const outcomes: (() => Promise<Result>)[] = [
      async () => 'done',
      async () => ({ requeueAfterMs: 1_000, reason: 'later' }),
      () => Promise.reject(conflict()),
      () => Promise.reject(new Error('broken')),
    ]
    const { clock, end, queue } = start(
      async (_, ctx) => {
        await ctx.clock.sleep(30, ctx.signal)
        return outcomes.shift()?.() ?? 'done'
      },
      { onPass: (pass) => made.push(pass) },
    )
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key)
    await clock.advance(120)
    queue.add('e')
    await clock.advance(0)
    await end()
    expect(made).toEqual(['done', 'again', 'conflict', 'failed'].map((result) => ({ result, ms: 30 })))
  })

  it('ends with ctx, after the passes under way', async () => {
    const release = Promise.withResolvers<void>()
    const said: string[] = []
    const { clock, queue, running, stop } = start(async () => {
      await release.promise
      said.push('pass ended')
      return 'done'
    })
    const ended = running.then(() => said.push('controller ended'))
    queue.add('ns/a')
    await clock.advance(0)
    stop.abort()
    await turn()
    expect(said).toEqual([])
    release.resolve()
    await ended
    expect(said).toEqual(['pass ended', 'controller ended'])
    expect(queue.depth.taken).toBe(0)
  })

  it('takes a throw at the end for the end', async () => {
    const { clock, end, log, queue } = start((_, ctx) => ctx.clock.sleep(1_000, ctx.signal).then((): Result => 'done'))
    queue.add('ns/a')
    await clock.advance(0)
    await end()
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toContain('"level":"debug"')
  })
})
