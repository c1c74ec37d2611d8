import { ControlError, verb, type Verb } from '../kit/control.ts'
import { lagVerb, sightControl, type SightControl } from '../kit/sight-control.ts'
import type { Project } from './project.ts'
import type { GceInvisible } from './sight.ts'

/** How late lists are, and of what they say nothing. */
export interface GceSightControl extends SightControl<GceInvisible> {
  /** From now on, or for so many milliseconds, a zone does not answer: lists are partial, all else of it fails. */
  unreachable(zone: string, forMs?: number): void
  /** It answers again; left out: all do. */
  reachable(zone?: string): void
}

export function gceSightControl({ sight, world, clock }: Project): GceSightControl {
  return {
    ...sightControl<GceInvisible>(sight),
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
export function sightVerbs(control: GceSightControl): readonly Verb[] {
  return [
    verb({
      name: 'invisible',
      does: 'inserts and changes of state are seen late; what is left out is seen at once',
      fields: { create: 'duration?', delete: 'duration?', writes: 'boolean?' },
      run: (how) => control.invisible(how),
    }),
    lagVerb(control),
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
