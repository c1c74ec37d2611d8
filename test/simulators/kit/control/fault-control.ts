import { chaosKinds, chaosMeanings, type Chaos, type ChaosKind, type ChaosOptions } from '../faults/chaos.ts'
import type { View } from './control-plane.ts'
import type { Failure, Faults, Hold, HoldOptions, HoldPoint } from '../faults/faults.ts'
import type { Latency, LatencyOptions } from '../faults/latency.ts'
import { spoilMeanings, spoilNames, type Spoil, type Spoils, type Tamper } from '../faults/spoils.ts'
import { ControlError, oneOf, verb, verbsOf, type Verb } from './verb.ts'

/** The faults that every simulated cloud has, in the process. The cloud's own switches come on top. */
export interface FaultControl {
  /** The next `count` calls of `action` ('*': of any) are refused with this and not done. */
  failNext(action: string, count: number, failure: Failure): void
  /** The next `count` calls of `action` are done, then their callers are cut off. */
  answerLostAfterCommit(action: string, count?: number): void
  /** The next `count` calls of `action` are done, and their answers come to harm. */
  spoilNext(action: string, how: Spoil, count?: number): void
  /** From now on bodies of answers are changed on their way; undefined: none. */
  tamper(how: Tamper | undefined): void
  /** Stops the next call of `action` before it is done, or after it is done and before it is answered. */
  hold(action: string, when: HoldPoint, options?: HoldOptions): Hold
  /** From now on answers take their time; undefined: none. */
  latency(options: LatencyOptions | undefined): void
  /** From now on calls are hit at random; undefined: none. */
  chaos(options: ChaosOptions | undefined): void
  /** Ends all of these. Calls that are held go on, calls that hang are cut off. */
  clearFaults(): void
}

/** All that can go wrong in one simulator. */
export interface Troubles {
  readonly faults: Faults
  readonly spoils: Spoils
  readonly latency: Latency
  readonly chaos: Chaos
}

export function faultControl({ faults, spoils, latency, chaos }: Troubles): FaultControl {
  return {
    failNext: (action, count, failure) => faults.failNext(action, count, failure),
    answerLostAfterCommit: (action, count = 1) => faults.loseAnswers(action, count),
    spoilNext: (action, how, count = 1) => spoils.spoilNext(action, how, count),
    tamper(how) {
      spoils.tamper = how ?? (({ body }) => body)
    },
    hold: (action, when, options) => faults.hold(action, when, options),
    latency: (options) => latency.set(options),
    chaos: (options) => chaos.set(options && checkedChaos(options)),
    clearFaults() {
      faults.clear()
      spoils.clear()
      latency.set(undefined)
      chaos.set(undefined)
    },
  }
}

function checkedChaos(options: ChaosOptions): ChaosOptions {
  if (options.rate >= 0 && options.rate <= 1) return options
  throw new ControlError('"rate" must be a number from 0 (no call is hit) to 1 (every call is).')
}

/** The same over HTTP. */
export function faultVerbs(control: FaultControl, { faults }: Troubles): readonly Verb[] {
  const calls = verbsOf(control)
  return [
    verb({
      name: 'fail-next',
      does: 'refuses the next calls of an action with a code',
      fields: { action: 'text', code: 'text', count: 'number?', message: 'text?', status: 'number?' },
      run: ({ action, code, count = 1, message = `Refused by the simulator: ${code}.`, status }) =>
        control.failNext(action, count, { code, message, ...(status === undefined ? {} : { status }) }),
    }),
    verb({
      name: 'lose-answer',
      does: 'does the next calls of an action, then cuts their callers off',
      fields: { action: 'text', count: 'number?' },
      run: ({ action, count }) => control.answerLostAfterCommit(action, count),
    }),
    calls(
      'spoilNext',
      `does the next calls of an action and spoils their answers; how: ${listed(spoilMeanings)}`,
      ['action', 'text'],
      ['how', oneOf(spoilNames)],
      ['count', 'number?'],
    ),
    verb({
      name: 'latency',
      does: 'from now on answers take from min to max; 0: none',
      fields: { min: 'duration', max: 'duration?', seed: 'number?', action: 'text?' },
      run: ({ min, max = min, ...rest }) => control.latency({ minMs: min, maxMs: max, ...rest }),
    }),
    verb({
      name: 'chaos',
      does: `hits calls at random, the same ones for the same seed; kinds, by commas: ${listed(chaosMeanings)}`,
      fields: { rate: 'number', seed: 'number?', kinds: 'text?', slow: 'duration?' },
      run: ({ kinds, slow, ...rest }) =>
        control.chaos({
          ...rest,
          ...(kinds === undefined ? {} : { kinds: chaosCalled(kinds) }),
          ...(slow === undefined ? {} : { slowMs: slow }),
        }),
    }),
    ...holdVerbs(control, faults),
    calls('clearFaults', 'ends all of these; calls that are held go on, calls that hang are cut off'),
  ]
}

function holdVerbs(control: FaultControl, faults: Faults): readonly Verb[] {
  const held = (name: string, does: string, act: (hold: Hold) => unknown): Verb =>
    verb({ name, does, fields: { hold: 'text' }, run: ({ hold }) => act(holdCalled(faults, hold)) })
  return [
    verb({
      name: 'hold',
      does: 'stops the next call of an action before it is done, or after it and before its answer',
      fields: { action: 'text', when: oneOf(['before', 'after']) },
      run: ({ action, when }) => ({ hold: control.hold(action, when).id }),
    }),
    held('reached', 'answers when a call has come to the hold', (hold) => hold.reached),
    held('release', 'lets a call that is held go on', (hold) => hold.release()),
    held('drop', 'cuts off the caller of a call that is held; held before, it is never done', (hold) => hold.drop()),
  ]
}

export function faultViews({ faults }: Troubles): Readonly<Record<string, View>> {
  return { holds: () => [...faults.holds.values()].map(({ id, action, when }) => ({ hold: id, action, when })) }
}

function listed(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([name, meaning]) => `${name} (${meaning})`)
    .join(', ')
}

function chaosCalled(kinds: string): readonly ChaosKind[] {
  return kinds.split(',').map((name) => {
    const found = chaosKinds.find((kind) => kind === name.trim())
    if (found) return found
    throw new ControlError(`"kinds" must be some of ${chaosKinds.join(', ')}, with commas between them.`)
  })
}

function holdCalled(faults: Faults, id: string): Hold {
  const hold = faults.holds.get(id)
  if (hold) return hold
  throw new ControlError(`There is no hold "${id}"; GET /_control/holds lists those that have not ended.`)
}
