import { describe, expect, it } from 'vitest'
import { unlessAborted } from './unless-aborted.ts'

describe('unlessAborted', () => {
  it('says what the promise says, and leaves no listener', async () => {
    const { signal } = new AbortController()
    const came: unknown[] = []
    const left: unknown[] = []
    signal.addEventListener = (_type: string, listener: unknown) => void came.push(listener)
    signal.removeEventListener = (_type: string, listener: unknown) => void left.push(listener)
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
    expect(came).toHaveLength(2)
    expect(left).toEqual(came)
  })

  it('says the reason of the signal when that fires first, or has fired', async () => {
    const stop = new AbortController()
    const waiting = unlessAborted(new Promise(() => {}), stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(unlessAborted(new Promise(() => {}), stop.signal)).rejects.toThrow('enough')
  })
})
