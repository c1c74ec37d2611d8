import { ControlError, verb, type Verb, type View } from './control.ts'
import type { Failure, Faults, Hold, HoldPoint } from './faults.ts'
import type { Journal, RecordedRequest } from './journal.ts'

/** The faults that every simulated cloud has, in the process. The cloud's own switches come on top. */
export interface FaultControl {
  /** The next `count` calls of `action` ('*': of any) are refused with this and not done. */
  failNext(action: string, count: number, failure: Failure): void
  /** The next `count` calls of `action` are done, then their callers are cut off. */
  answerLostAfterCommit(action: string, count?: number): void
  /** Stops the next call of `action` before it is done, or after it is done and before it is answered. */
  hold(action: string, when: HoldPoint): Hold
  /** Ends all of these. Calls that are held go on. */
  clearFaults(): void
  /** Every call so far. */
  requests(): readonly RecordedRequest[]
}

export function faultControl(faults: Faults, journal: Journal): FaultControl {
  return {
    failNext: (action, count, failure) => faults.failNext(action, count, failure),
    answerLostAfterCommit: (action, count = 1) => faults.loseAnswers(action, count),
    hold: (action, when) => faults.hold(action, when),
    clearFaults: () => faults.clear(),
    requests: () => journal.entries,
  }
}

/** The same over HTTP. */
export function faultVerbs(faults: Faults): readonly Verb[] {
  return [
    verb({
      name: 'fail-next',
      does: 'refuses the next calls of an action with a code',
      fields: { action: 'text', code: 'text', count: 'number?', message: 'text?', status: 'number?' },
      run: ({ action, code, count = 1, message = `Refused by the simulator: ${code}.`, status }) =>
        faults.failNext(action, count, { code, message, ...(status === undefined ? {} : { status }) }),
    }),
    verb({
      name: 'lose-answer',
      does: 'does the next calls of an action, then cuts their callers off',
      fields: { action: 'text', count: 'number?' },
      run: ({ action, count = 1 }) => faults.loseAnswers(action, count),
    }),
    verb({
      name: 'hold',
      does: 'stops the next call of an action before it is done, or after it and before its answer',
      fields: { action: 'text', when: 'text' },
      run: ({ action, when }) => ({ hold: faults.hold(action, holdPoint(when)).id }),
    }),
    verb({
      name: 'reached',
      does: 'answers when a call has come to the hold',
      fields: { hold: 'text' },
      run: ({ hold }) => holdCalled(faults, hold).reached,
    }),
    verb({
      name: 'release',
      does: 'lets a call that is held go on',
      fields: { hold: 'text' },
      run: ({ hold }) => holdCalled(faults, hold).release(),
    }),
    verb({
      name: 'drop',
      does: 'cuts off the caller of a call that is held; held before, it is never done',
      fields: { hold: 'text' },
      run: ({ hold }) => holdCalled(faults, hold).drop(),
    }),
    verb({
      name: 'clear-faults',
      does: 'ends all faults; calls that are held go on',
      fields: {},
      run: () => faults.clear(),
    }),
  ]
}

export function faultViews(faults: Faults, journal: Journal): Readonly<Record<string, View>> {
  return {
    requests: () => journal.entries,
    holds: () => [...faults.holds.values()].map(({ id, action, when }) => ({ hold: id, action, when })),
  }
}

function holdPoint(when: string): HoldPoint {
  if (when === 'before' || when === 'after') return when
  throw new ControlError('"when" must be "before" (the call is done) or "after" (it is done, before its answer).')
}

function holdCalled(faults: Faults, id: string): Hold {
  const hold = faults.holds.get(id)
  if (hold) return hold
  throw new ControlError(`There is no hold "${id}"; GET /_control/holds lists those that have not ended.`)
}
