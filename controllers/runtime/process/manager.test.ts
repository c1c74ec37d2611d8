import { describe, expect, it } from 'vitest'
import type { Ctx } from '../../../api/ctx.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { turn, until, untilOn } from '../../../test/support/until.ts'
import { runManager, type Runnable } from './manager.ts'

/** Runs until its ctx ends, and says what it does. */
function steady(name: string, said: string[], over: Partial<Runnable> = {}): Runnable {
  return {
    name,
    async run(ctx) {
      said.push(`${name} runs`)
      await ended(ctx)
      await turn()
      said.push(`${name} ends`)
    },
    ...over,
  }
}

function ended({ signal }: Ctx): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

describe('a manager', () => {
  it('starts in order, each when the one before is ready, and stops in reverse, one after the other', async () => {
    const said: string[] = []
    const stop = new AbortController()
    const cacheReady = Promise.withResolvers<void>()
    const runnables = [
      steady('cache', said, { ready: () => cacheReady.promise }),
      steady('queue', said),
      steady('controller', said),
    ]
    const running = runManager({ runnables }, quietCtx({ signal: stop.signal }))
    await turn()
    expect(said).toEqual(['cache runs'])
    cacheReady.resolve()
    await until(() => said.length === 3)
    expect(said).toEqual(['cache runs', 'queue runs', 'controller runs'])
    stop.abort()
    await running
    expect(said.slice(3)).toEqual(['controller ends', 'queue ends', 'cache ends'])
  })

  it.each<[string, () => Promise<void>, string]>([
    ['ends', () => Promise.resolve(), '"broken" ended, though nothing asked it to.'],
    ['throws', () => Promise.reject(new Error('no port')), '"broken" failed: no port'],
  ])('stops everything when one %s', async (_, run, message) => {
    const said: string[] = []
    const release = Promise.withResolvers<void>()
    const broken = { name: 'broken', run: () => release.promise.then(run) }
    const running = runManager({ runnables: [steady('cache', said), broken, steady('queue', said)] }, quietCtx())
    await until(() => said.length === 2)
    release.resolve()
    await expect(running).rejects.toThrow(message)
    expect(said.slice(2)).toEqual(['queue ends', 'cache ends'])
  })

  it('gives the others no more time, all together, than the one that failed leaves them', async () => {
    const clock = new FakeClock()
    const began = clock.monotonic()
    const said: string[] = []
    const lose = Promise.withResolvers<void>()
    const lease = { name: 'lease', leavesMs: 1_000, run: () => lose.promise }
    const deaf = (name: string) => ({ name, run: () => new Promise<void>(() => {}) })
    const runnables = [deaf('cache'), lease, deaf('queue'), deaf('controller'), steady('metrics', said)]
    let over: unknown
    void runManager({ runnables }, quietCtx({ clock })).catch((thrown: unknown) => (over = thrown))
    await until(() => said.length === 1)
    lose.reject(new Error('held by another'))
    await until(() => said.length === 2)
    await clock.advance(999)
    expect(over).toBeUndefined()
    await untilOn(clock, 1, () => over !== undefined)
    expect(over).toMatchObject({ message: '"lease" failed: held by another' })
    expect([said, clock.pending]).toEqual([['metrics runs', 'metrics ends'], 0])
    expect(clock.monotonic() - began).toBeLessThan(1_100)
  })

  it('does not start the next when one fails while the others wait for it', async () => {
    const said: string[] = []
    const never = new Promise<void>(() => {})
    const broken = steady('broken', said, { run: () => Promise.reject(new Error('no such host')), ready: () => never })
    const running = runManager({ runnables: [steady('cache', said), broken, steady('queue', said)] }, quietCtx())
    await expect(running).rejects.toThrow('"broken" failed: no such host')
    expect(said).toEqual(['cache runs', 'cache ends'])
  })

  it('says which one did not become ready', async () => {
    const said: string[] = []
    const unready = steady('cache', said, { ready: () => Promise.reject(new Error('no list')) })
    await expect(runManager({ runnables: [unready] }, quietCtx())).rejects.toThrow(
      '"cache" did not become ready: no list',
    )
    expect(said).toEqual(['cache runs', 'cache ends'])
  })

  it('ends in the middle of starting', async () => {
    const said: string[] = []
    const stop = new AbortController()
    const unready = steady('cache', said, { ready: () => new Promise(() => {}) })
    const running = runManager({ runnables: [unready, steady('queue', said)] }, quietCtx({ signal: stop.signal }))
    await turn()
    stop.abort()
    await running
    expect(said).toEqual(['cache runs', 'cache ends'])
    await runManager({ runnables: [steady('late', said)] }, quietCtx({ signal: stop.signal }))
    expect(said).toHaveLength(2)
  })

  it('goes on without one that does not stop, and with a word about one that fails while stopping', async () => {
    const clock = new FakeClock()
    const log = keptLog()
    const said: string[] = []
    const stop = new AbortController()
    const deaf = { name: 'deaf', run: () => new Promise<void>(() => {}) }
    const clumsy = {
      name: 'clumsy',
      run: (ctx: Ctx) => ended(ctx).then(() => Promise.reject(new Error('on the way out'))),
    }
    const clean = { name: 'clean', run: (ctx: Ctx) => ctx.clock.sleep(1_000_000, ctx.signal) }
    const ctx = quietCtx({ clock, log, signal: stop.signal })
    const running = runManager({ runnables: [steady('cache', said), deaf, clumsy, clean], stopMs: 5_000 }, ctx)
    await until(() => clock.pending === 1)
    stop.abort()
    await until(() => clock.pending === 1 && log.lines.some((line) => line.includes('"runnable":"clumsy"')))
    await clock.advance(5_000)
    await running
    expect(said).toEqual(['cache runs', 'cache ends'])
    const warnings = log.lines.filter((line) => line.includes('"level":"warn"'))
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('"runnable":"clumsy"')
    expect(warnings[1]).toContain('"runnable":"deaf"')
    expect(clock.pending).toBe(0)
  })
})
