import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { withDeadline } from './with-deadline.ts'

const never = () => new Promise<never>(() => {})

describe('what takes for ever', () => {
  it('ends with its signal, also when that fired before', async () => {
    const stop = new AbortController()
    const work = withDeadline(never, quietCtx({ signal: stop.signal }))
    stop.abort()
    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    await expect(withDeadline(never, quietCtx({ signal: stop.signal }))).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('ends after a time, and is told so', async () => {
    const clock = new FakeClock()
    let told: unknown
    const deaf = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => void (told = signal.reason))
      return never()
    }
    const work = withDeadline(deaf, quietCtx({ clock })).catch((error: unknown) => error)
    await clock.advance(45_000)
    expect(await work).toMatchObject({ name: 'TimeoutError' })
    expect(told).toBe(await work)
  })
})

it('what ends in time is what it is', async () => {
  await expect(withDeadline(() => Promise.resolve(1), quietCtx())).resolves.toBe(1)
  await expect(withDeadline(() => Promise.reject(new Error('No.')), quietCtx())).rejects.toThrow('No.')
})
