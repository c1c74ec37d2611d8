import { verb, type Verb } from '../kit/control.ts'
import { lagVerb, type SightControl } from '../kit/sight-control.ts'
import type { VpcInvisible } from './sight.ts'

/** How late answers are, over HTTP. */
export function sightVerbs(control: SightControl<VpcInvisible>): readonly Verb[] {
  return [
    verb({
      name: 'invisible',
      does: 'created instances and changes of state are seen late in lists; what is left out is seen at once',
      fields: { create: 'duration?', delete: 'duration?', writes: 'boolean?' },
      run: (how) => control.invisible(how),
    }),
    lagVerb(control),
  ]
}
