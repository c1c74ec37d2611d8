import type { FakeClock } from './fakes/fake-clock.ts'

/** Waits until a condition holds that I/O brings about. Fails after a minute of real time. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  const end = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`)
    await turn()
  }
}

/** The same while time passes on a clock that stands still otherwise. */
export async function untilOn(clock: FakeClock, stepMs: number, condition: () => boolean): Promise<void> {
  for (let step = 0; !condition(); step++) {
    if (step > 10_000) throw new Error(`Waited in vain for ${(step * stepMs) / 1000} s of the clock.`)
    await clock.advance(stepMs)
    await turn()
  }
}

/** Lets one round of I/O and timers pass. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
