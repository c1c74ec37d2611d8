import { checkZone } from '../../kit/control/supply-control.ts'
import { verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Project } from '../project.ts'

/** Which zones answer. */
export interface ZoneControl {
  /** From now on, or for so many milliseconds, a zone does not answer: lists are partial, all else of it fails. */
  unreachable(zone: string, forMs?: number): void
  /** It answers again; left out: all do. */
  reachable(zone?: string): void
}

export function zoneControl({ sight, world, clock }: Project): ZoneControl {
  return {
    unreachable(zone, forMs = Infinity) {
      checkZone(zone, world.zones)
      sight.lose(zone, clock.now() + forMs)
    },
    reachable: (zone) => sight.regain(zone),
  }
}

/** The same over HTTP. */
export function zoneVerbs(control: ZoneControl): readonly Verb[] {
  const calls = verbsOf(control)
  return [
    calls(
      'unreachable',
      'a zone does not answer, for ever or for a while: lists are partial, all else of it fails',
      ['zone', 'text'],
      ['for', 'duration?'],
    ),
    calls('reachable', 'a zone answers again; without "zone": all do', ['zone', 'text?']),
  ]
}
