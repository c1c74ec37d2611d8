import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { systemClock } from './clock.ts'

it('sleeps at least as long as it was asked to', async () => {
  const before = systemClock.monotonic()
  await systemClock.sleep(20, new AbortController().signal)
  expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(19)
})

it('leaves neither timer nor listener behind when a sleep is aborted', async () => {
  const controller = new AbortController()
  const timersBefore = timers()
  const sleep = systemClock.sleep(60_000, controller.signal)
  expect(timers()).toBe(timersBefore + 1)
  controller.abort(new Error('enough'))
  await expect(sleep).rejects.toThrow('enough')
  expect(timers()).toBe(timersBefore)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})

it('leaves no listener behind when a sleep is over', async () => {
  const { signal } = new AbortController()
  await systemClock.sleep(1, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('rejects at once when the signal has fired before', async () => {
  await expect(systemClock.sleep(60_000, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
})

it('does not run what was cancelled, and does not fire early on a delay beyond 24 days', async () => {
  const ran: string[] = []
  const cancelShort = systemClock.after(1, () => ran.push('cancelled'))
  const cancelLong = systemClock.after(2 ** 31 + 1000, () => ran.push('early'))
  cancelShort()
  await systemClock.sleep(20, new AbortController().signal)
  cancelLong()
  expect(ran).toEqual([])
})

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}
