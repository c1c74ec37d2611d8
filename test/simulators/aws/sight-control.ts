import { verb, type Verb } from '../kit/control.ts'
import { lagVerb, type SightControl } from '../kit/sight-control.ts'
import type { Ec2Invisible } from './sight.ts'

/** How late answers are, over HTTP. */
export function sightVerbs(control: SightControl<Ec2Invisible>): readonly Verb[] {
  return [
    verb({
      name: 'invisible',
      does: 'launches, changes of state and tags are seen late; what is left out is seen at once',
      fields: { create: 'duration?', delete: 'duration?', tags: 'duration?', writes: 'boolean?' },
      run: (how) => control.invisible(how),
    }),
    lagVerb(control),
  ]
}
