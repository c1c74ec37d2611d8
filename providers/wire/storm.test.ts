import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { BucketLimits } from './bucket.ts'
import { Limiter, turnAfterMs } from './limiter.ts'

/** The cloud's own bucket. It forgives nothing, and a refused call gets no second look. */
class CloudBucket {
  readonly #limits: BucketLimits
  readonly #refill: Refill
  #tokens: number
  #filledTo = 0
  granted = 0
  refused = 0

  constructor(limits: BucketLimits, refill: Refill = 'steady') {
    this.#limits = limits
    this.#refill = refill
    this.#tokens = limits.burst
  }

  ask(now: number): boolean {
    while (this.#refill !== 'steady' && this.#nextLump(this.#refill) <= now) this.#fillTo(this.#nextLump(this.#refill))
    if (this.#refill === 'steady') this.#fillTo(now)
    const granted = this.#tokens > 1 - 1e-9
    if (granted) this.#tokens -= 1
    this[granted ? 'granted' : 'refused'] += 1
    return granted
  }

  #nextLump({ phaseMs }: { phaseMs: number }): number {
    return this.#filledTo === 0 ? phaseMs : this.#filledTo + 1_000
  }

  #fillTo(at: number): void {
    const ms = this.#refill === 'steady' ? at - this.#filledTo : 1_000
    this.#tokens = Math.min(this.#limits.burst, this.#tokens + (ms * this.#limits.perSecond) / 1_000)
    this.#filledTo = at
  }
}

/** All the time, or once a second, the first time at `phaseMs`. */
type Refill = 'steady' | { readonly phaseMs: number }

const runInstances = { burst: 5, perSecond: 2 }
const latencies = fc.infiniteStream(fc.integer({ min: 5, max: 50 }))
const next = (stream: Iterator<number>): number => Number(stream.next().value)
const refills = fc.oneof(fc.constant('steady' as const), fc.record({ phaseMs: fc.integer({ min: 1, max: 1_000 }) }))

interface Storm {
  readonly machines: number
  readonly limits?: BucketLimits
  readonly maxWaitMs?: number
  readonly workers?: number
  readonly latency?: () => number
  readonly cloud?: CloudBucket
}

/**
 * A controller in small: workers take keys from a queue; each pass is some work of its own, then the call. Who is sent
 * away or refused comes back when it was told to, and not before.
 */
class Controller {
  readonly clock = new FakeClock(0)
  readonly cloud: CloudBucket
  readonly limiter: Limiter
  readonly done: { key: string; at: number }[] = []
  /** How many passes there were, and how many workers stood in the limiter's line at the most. */
  passes = 0
  mostInLine = 0
  #inLine = 0
  #queue: string[] = []
  #idle: (() => void)[] = []
  readonly #gone = new Set<string>()
  readonly #storm: Required<Omit<Storm, 'cloud'>>

  constructor(storm: Storm) {
    this.#storm = { limits: runInstances, maxWaitMs: 2_000, workers: 32, latency: () => 20, ...storm }
    this.cloud = storm.cloud ?? new CloudBucket(this.#storm.limits)
    this.limiter = new Limiter({ calls: this.#storm.limits })
    for (let n = 0; n < storm.machines; n++) this.#queue.push(`m${n}`)
    for (let n = 0; n < this.#storm.workers; n++) void this.#work()
  }

  /** This machine wants nothing any more. */
  leave(key: string): void {
    this.#gone.add(key)
  }

  async #work(): Promise<void> {
    for (;;) {
      const key = this.#queue.shift()
      if (key === undefined) await new Promise<void>((resolve) => this.#idle.push(resolve))
      else if (!this.#gone.has(key)) await this.#pass(key)
    }
  }

  async #pass(key: string): Promise<void> {
    const ctx = quietCtx({ clock: this.clock })
    this.passes += 1
    await this.clock.sleep(10, ctx.signal)
    this.#inLine += 1
    this.mostInLine = Math.max(this.mostInLine, this.#inLine)
    const { maxWaitMs, latency } = this.#storm
    try {
      await this.limiter.run({ bucket: 'calls', priority: 'launch', key, maxWaitMs }, () => this.#call(latency()), ctx)
      this.done.push({ key, at: this.clock.monotonic() })
    } catch (thrown) {
      const { retryAfterMs } = thrown as CloudError
      if (retryAfterMs === undefined) throw thrown
      if (turnAfterMs(thrown) !== undefined) this.#inLine -= 1
      this.clock.after(retryAfterMs, () => {
        this.#queue.push(key)
        this.#idle.shift()?.()
      })
    }
  }

  async #call(latencyMs: number): Promise<void> {
    this.#inLine -= 1
    const { signal } = quietCtx()
    await this.clock.sleep(latencyMs / 2, signal)
    const granted = this.cloud.ask(this.clock.monotonic())
    await this.clock.sleep(latencyMs / 2, signal)
    if (!granted) throw new CloudError('throttled', { code: 'RequestLimitExceeded', message: 'Too many.' })
  }
}

describe('against a cloud that forgives nothing', () => {
  it('100 launches take 1.1 times what the bucket allows at the most, and none is refused', async () => {
    await fc.assert(
      fc.asyncProperty(latencies, refills, fc.constantFrom(1, 0.995), async (stream, refill, drift) => {
        // A cloud whose clock goes a little slower than ours fills its bucket a little slower.
        const cloud = new CloudBucket({ burst: 5, perSecond: 2 * drift }, refill)
        const controller = new Controller({ machines: 100, cloud, latency: () => next(stream) })
        await controller.clock.advance(1.1 * ((100 - 5) / 2) * 1_000)
        expect(controller.done).toHaveLength(100)
        expect(cloud.refused).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  it('none is refused, however they come', async () => {
    const limits = fc.constantFrom(runInstances, { burst: 100, perSecond: 20 }, { burst: 1, perSecond: 1 })
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4_000 })), { maxLength: 150 })
    await fc.assert(
      fc.asyncProperty(
        fc.record({ row: limits, refill: refills }),
        gaps,
        latencies,
        async ({ row, refill }, gaps, stream) => {
          const cloud = new CloudBucket(row, refill)
          const clock = new FakeClock(0)
          const limiter = new Limiter({ calls: row })
          const ctx = quietCtx({ clock })
          const answers: Promise<void>[] = []
          for (const gap of gaps) {
            await clock.advance(gap)
            const call = async () => {
              await clock.sleep(next(stream) * 5, ctx.signal)
              expect(cloud.ask(clock.monotonic())).toBe(true)
            }
            answers.push(limiter.run({ bucket: 'calls', priority: 'launch' }, call, ctx))
          }
          await clock.advance(600_000)
          await Promise.all(answers)
          expect(cloud.granted).toBe(gaps.length)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('beside somebody else who takes half of it, one call in six is refused at the most, and we get our half', async () => {
    const controller = new Controller({ machines: 500 })
    const { clock, cloud } = controller
    let others = 0
    for (let at = 0; at < 300_000; at += 1_000) {
      if (cloud.ask(clock.monotonic())) others += 1
      await clock.advance(1_000)
    }
    const refused = cloud.refused - (300 - others)
    expect(controller.done.length).toBeGreaterThan(300 * 0.9)
    expect(refused).toBeLessThan(controller.done.length / 6)
  })
})

describe('1,000 machines at 2 a second, and 32 workers', () => {
  it('the bucket is used up to 97 %, while hardly a worker waits', async () => {
    const controller = new Controller({ machines: 1_000 })
    await controller.clock.advance(((1_000 - 5) / 2 / 0.97) * 1_000)
    expect(controller.done).toHaveLength(1_000)
    expect(controller.cloud.refused).toBe(0)
    expect(controller.mostInLine).toBeLessThanOrEqual(8)
  })

  it('who asked first goes first, give or take the few that stand in line', async () => {
    const controller = new Controller({ machines: 300 })
    await controller.clock.advance(200_000)
    expect(controller.done).toHaveLength(300)
    for (const [index, { key }] of controller.done.entries()) {
      expect(Math.abs(Number(key.slice(1)) - index)).toBeLessThanOrEqual(40)
    }
  })

  it('each asks again once a minute at the most, and they do not come in herds', async () => {
    const controller = new Controller({ machines: 1_000 })
    await controller.clock.advance(30_000)
    let most = 0
    for (let second = 30; second < 300; second++) {
      const before = controller.passes
      await controller.clock.advance(1_000)
      most = Math.max(most, controller.passes - before)
    }
    expect(most).toBeLessThanOrEqual(60)
    expect(controller.passes).toBeLessThanOrEqual(1_000 * (1 + 300 / 30))
  })

  it('when most of them leave, the others do not wait the eight minutes for those who are gone', async () => {
    const controller = new Controller({ machines: 1_000 })
    await controller.clock.advance(10_000)
    const staying = new Set(Array.from({ length: 100 }, (_, n) => `m${n * 10}`))
    for (let n = 0; n < 1_000; n++) if (!staying.has(`m${n}`)) controller.leave(`m${n}`)
    await controller.clock.advance(140_000)
    for (const { key } of controller.done) staying.delete(key)
    expect([...staying]).toEqual([])
  })

  it('looks at 20 a second go by at their rate too', async () => {
    const limits = { burst: 100, perSecond: 20 }
    const controller = new Controller({ machines: 1_000, limits, maxWaitMs: 200 })
    await controller.clock.advance((900 / 20 / 0.93) * 1_000)
    expect(controller.done).toHaveLength(1_000)
    expect(controller.mostInLine).toBeLessThanOrEqual(8)
  })
})
