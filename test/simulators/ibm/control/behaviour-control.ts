import { known } from '../../kit/control/read-fields.ts'
import { optionalOneOf, verb, verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Switches } from '../account.ts'
import { behaviourNames, behaviours, usualBehaviour, type Behaviour } from './behaviour.ts'

/** How IBM behaves where its documents leave that open. */
export interface BehaviourControl {
  /** From now on; what is not said stays as it is. */
  behave(changes: Partial<Behaviour>): void
  behaviour(): Behaviour
  /** What refusals with 429 and 503 say in Retry-After: seconds, or a date; undefined: what is usual. */
  retryAfter(value: string | undefined): void
}

export function behaviourControl(switches: Switches): BehaviourControl {
  return {
    behave(changes) {
      switches.behaviour = { ...switches.behaviour, ...changes }
    },
    behaviour: () => switches.behaviour,
    retryAfter(value) {
      switches.retryAfter = value
    },
  }
}

/** The same over HTTP. */
export function behaviourVerbs(control: BehaviourControl): readonly Verb[] {
  return [
    verb({
      name: 'behave',
      does: `how IBM behaves from now on; ${listed()}; without "switch": as it was at first`,
      fields: { switch: optionalOneOf(behaviourNames), to: 'text?' },
      run: ({ switch: name, to = '' }) =>
        control.behave(name === undefined ? usualBehaviour : { [name]: known('to', to, behaviours[name]) }),
    }),
    verbsOf(control)(
      'retryAfter',
      'what refusals with 429 and 503 say in Retry-After: seconds or a date; without "value": what is usual',
      ['value', 'text?'],
    ),
  ]
}

function listed(): string {
  return behaviourNames.map((name) => `${name}: ${behaviours[name].join(' or ')}`).join(', ')
}
