import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from './eventually.ts'

test('answers with what the check found once it holds', async () => {
  let asked = 0
  const found = await eventually('the third time', () => {
    expect(++asked).toBe(3)
    return asked
  })
  expect(found).toBe(3)
})

test('says what it last saw when time is up', async () => {
  const never = eventually('the machine runs', () => expect('Pending').toBe('Running'), { timeoutMs: 50, everyMs: 10 })
  await expect(never).rejects.toThrow(
    /^the machine runs: not within 0\.05 s\. Last seen: expected 'Pending' to be 'Running'/,
  )
})

test('counts its pauses and not the time of the checks', async () => {
  let asked = 0
  const slow = async () => {
    await sleep(30)
    expect(++asked).toBe(4)
  }
  await eventually('the fourth time', slow, { timeoutMs: 50, everyMs: 20 })
})

test('ends when it is told to', async () => {
  const stop = new AbortController()
  const never = eventually('the machine runs', () => expect('Pending').toBe('Running'), { signal: stop.signal })
  stop.abort()
  await expect(never).rejects.toThrow('aborted')
})
