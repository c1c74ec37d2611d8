import { ControlError, verb, type Verb } from '../common/control.ts'
import type { Project } from './project.ts'
import type { Invisible, Lag } from './sight.ts'

/** How late lists are, and of what they say nothing. */
export interface SightControl {
  /** From now on changes are seen only after so many milliseconds; a number: inserts and ends alike. 0: at once. */
  invisible(how: number | Invisible): void
  /** From now on every list answers from a past moment of its own; undefined: from now. */
  lag(lag: Lag | undefined): void
  /** From now on, or for so many milliseconds, a zone does not answer: lists are partial, all else of it fails. */
  unreachable(zone: string, forMs?: number): void
  /** It answers again; left out: all do. */
  reachable(zone?: string): void
}

export function sightControl({ sight, world, clock }: Project): SightControl {
  return {
    invisible: (how) => sight.invisible(typeof how === 'number' ? { create: how, delete: how } : how),
    lag(lag = { minMs: 0, maxMs: 0 }) {
      if (lag.maxMs < lag.minMs) throw new ControlError('"max" must not be less than "min".')
      sight.lag(lag)
    },
    unreachable(zone, forMs = Infinity) {
      if (!world.zones.some(({ name }) => name === zone)) {
        throw new ControlError(`"zone" must be one of ${world.zones.map(({ name }) => name).join(', ')}.`)
      }
      sight.lose(zone, clock.now() + forMs)
    },
    reachable: (zone) => sight.regain(zone),
  }
}

/** The same over HTTP. */
export function sightVerbs(control: SightControl): readonly Verb[] {
  return [
    verb({
      name: 'invisible',
      does: 'inserts and changes of state are seen late; what is left out is seen at once',
      fields: { create: 'duration?', delete: 'duration?', writes: 'boolean?' },
      run: (how) => control.invisible(how),
    }),
    verb({
      name: 'lag',
      does: 'every list answers from a past moment of its own, from min to max ago; 0: from now',
      fields: { min: 'duration', max: 'duration?', seed: 'number?' },
      run: ({ min, max = min, ...rest }) => control.lag({ minMs: min, maxMs: max, ...rest }),
    }),
    verb({
      name: 'unreachable',
      does: 'a zone does not answer, for ever or for a while: lists are partial, all else of it fails',
      fields: { zone: 'text', for: 'duration?' },
      run: ({ zone, for: lasts }) => control.unreachable(zone, lasts),
    }),
    verb({
      name: 'reachable',
      does: 'a zone answers again; without "zone": all do',
      fields: { zone: 'text?' },
      run: ({ zone }) => control.reachable(zone),
    }),
  ]
}
