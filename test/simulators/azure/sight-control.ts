import { ControlError, verb, type Verb } from '../common/control.ts'
import type { Invisible, Lag, Sight } from './sight.ts'

/** How late lists are. */
export interface SightControl {
  /** From now on changes are seen only after so many milliseconds; a number: creations and ends alike. 0: at once. */
  invisible(how: number | Invisible): void
  /** From now on every list answers from a past moment of its own; undefined: from now. */
  lag(lag: Lag | undefined): void
}

export function sightControl(sight: Sight): SightControl {
  return {
    invisible: (how) => sight.invisible(typeof how === 'number' ? { create: how, delete: how } : how),
    lag(lag = { minMs: 0, maxMs: 0 }) {
      if (lag.maxMs < lag.minMs) throw new ControlError('"max" must not be less than "min".')
      sight.lag(lag)
    },
  }
}

/** The same over HTTP. */
export function sightVerbs(control: SightControl): readonly Verb[] {
  return [
    verb({
      name: 'invisible',
      does: 'what is made, changes of state and tags are seen late; what is left out is seen at once',
      fields: { create: 'duration?', delete: 'duration?', tags: 'duration?', gets: 'boolean?' },
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
