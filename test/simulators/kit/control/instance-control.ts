import { ControlError } from './verb.ts'

/** An instance as people want to see it. */
export interface InstanceView {
  readonly id: string
  readonly state: string
  /** Why it is in this state, by the cloud's own code. */
  readonly reason: string | undefined
  readonly instanceType: string
  readonly zone: string
  readonly market: 'spot' | 'on-demand'
  readonly privateIp: string
  readonly tags: Readonly<Record<string, string>>
  readonly launchedAt: string
}

/** Names or ids of all that costs money or stands in the way. */
export type Remains<Kind extends string> = Readonly<Record<'instances' | Kind, readonly string[]>>

/** What happens to instances from outside of the API, alike in every cloud. */
export interface LifecycleControl<View extends InstanceView, Kind extends string> {
  /** The cloud takes a spot instance back: the notice, then what the instance's own policy says. */
  interrupt(id: string, noticeMs?: number): void
  /** Somebody deletes it. */
  terminate(id: string): void
  /** It is gone at once and without a trace. */
  vanish(id: string): void
  /** Every instance that the cloud would still show. */
  instances(): readonly View[]
  /** What is left: everything empty when nothing leaked. */
  remains(): Remains<Kind>
}

interface FinderOptions<I, S extends string> {
  /** What the cloud calls itself, and an instance. */
  readonly cloud: string
  readonly thing?: string
  find(id: string): I | undefined
  stateOf(instance: I): S
  isSpot(instance: I): boolean
}

/** Finds instances for verbs, and says to the person who asked why a verb cannot be done. */
export class InstanceFinder<I extends object, S extends string> {
  readonly #options: FinderOptions<I, S>
  readonly #thing: string

  constructor(options: FinderOptions<I, S>) {
    this.#options = options
    this.#thing = options.thing ?? 'instance'
  }

  any(id: string): I {
    const found = this.#options.find(id)
    if (found) return found
    throw new ControlError(`There is no ${this.#thing} ${id}; GET /_control/instances lists them.`)
  }

  in(states: readonly S[], id: string): I {
    const instance = this.any(id)
    const state = this.#options.stateOf(instance)
    if (states.includes(state)) return instance
    throw new ControlError(`${capital(this.#thing)} ${id} is ${state}; it must be ${states.join(' or ')} for this.`)
  }

  spotIn(states: readonly S[], id: string): I {
    const instance = this.in(states, id)
    if (this.#options.isSpot(instance)) return instance
    const { cloud } = this.#options
    throw new ControlError(
      `${capital(this.#thing)} ${id} is not a spot ${this.#thing}: ${cloud} does not take it back. Stop or terminate it.`,
    )
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
