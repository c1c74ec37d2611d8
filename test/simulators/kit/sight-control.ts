import { ControlError, verb, type Verb } from './control.ts'
import type { Invisible, Lag } from './lateness.ts'

/** How late lists are. */
export interface SightControl<I extends Invisible = Invisible> {
  /**
   * From now on changes are seen only after so many milliseconds; a number: what is made and what ends alike. 0: at
   * once.
   */
  invisible(how: number | I): void
  /** From now on every list answers from a past moment of its own; undefined: from now. */
  lag(lag: Lag | undefined): void
}

interface Sight<I extends Invisible> {
  invisible(how: I | Invisible): void
  lag(lag: Lag): void
}

export function sightControl<I extends Invisible>(sight: Sight<I>): SightControl<I> {
  return {
    invisible: (how) => sight.invisible(typeof how === 'number' ? { create: how, delete: how } : how),
    lag(lag = { minMs: 0, maxMs: 0 }) {
      if (lag.maxMs < lag.minMs) throw new ControlError('"max" must not be less than "min".')
      sight.lag(lag)
    },
  }
}

/** The lag over HTTP; what is not seen differs from cloud to cloud. */
export function lagVerb(control: Pick<SightControl, 'lag'>): Verb {
  return verb({
    name: 'lag',
    does: 'every list answers from a past moment of its own, from min to max ago; 0: from now',
    fields: { min: 'duration', max: 'duration?', seed: 'number?' },
    run: ({ min, max = min, ...rest }) => control.lag({ minMs: min, maxMs: max, ...rest }),
  })
}
