import type { Invisible, Lag, ReadLag } from '../instances/read-lag.ts'
import { ControlError, verb, type Verb } from './verb.ts'

/** How late changes can be seen: what is made and what ends in every cloud, and what else this one can be late with. */
export type LateWith<K extends keyof Invisible> = Pick<Invisible, 'create' | 'delete' | K>

/** How late lists are. */
export interface SightControl<K extends keyof Invisible = keyof Invisible> {
  /**
   * From now on changes are seen only after so many milliseconds; a number: what is made and what ends alike. 0: at
   * once.
   */
  invisible(how: number | LateWith<K>): void
  /** From now on every list answers from a past moment of its own; undefined: from now. */
  lag(lag: Lag | undefined): void
}

export function sightControl(sight: ReadLag): SightControl {
  return {
    invisible: (how) => sight.invisible(typeof how === 'number' ? { create: how, delete: how } : how),
    lag(lag = { minMs: 0, maxMs: 0 }) {
      if (lag.maxMs < lag.minMs) throw new ControlError('"max" must not be less than "min".')
      sight.lag(lag)
    },
  }
}

const own = { tags: 'duration?', writes: 'boolean?', gets: 'boolean?' } as const
export type OwnLateness = keyof typeof own

/** The same over HTTP. `lateWith`: what this cloud can be late with besides. */
export function sightVerbs(control: SightControl, lateWith: readonly OwnLateness[]): readonly Verb[] {
  const besides = Object.fromEntries(lateWith.map((name) => [name, own[name]])) as typeof own
  return [
    verb({
      name: 'invisible',
      does: 'what is made and what changes is seen late; what is left out is seen at once',
      fields: { create: 'duration?', delete: 'duration?', ...besides },
      run: (how) => control.invisible(how),
    }),
    verb({
      name: 'lag',
      does: 'every list answers from a past moment of its own, from min to max ago; 0: from now',
      fields: { min: 'duration', max: 'duration?', seed: 'number?' },
      run: ({ min, max = min, ...rest }) => control.lag({ minMs: min, maxMs: max, ...rest }),
    }),
  ]
}
