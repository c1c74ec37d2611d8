import type { Clock } from '../../../api/ctx.ts'
import { Lateness, type Invisible } from '../kit/lateness.ts'
import type { Instance, InstanceVersion } from './instance.ts'
import type { Instances } from './instances.ts'

/** Of IBM, besides. */
export interface VpcInvisible extends Invisible {
  /** Calls by its id do not know of a created instance any earlier than lists do. */
  readonly writes?: boolean
}

/** What calls see of the instances: for lists that may be the past. Whether a name is taken is known at once. */
export class Sight extends Lateness<VpcInvisible> {
  readonly #instances: Instances
  readonly #clock: Clock

  constructor(instances: Instances, clock: Clock) {
    super()
    this.#instances = instances
    this.#clock = clock
  }

  /** For one call that lists, once: the next call may see more, or less. */
  look(): readonly InstanceVersion[] {
    const { create = 0, delete: change = 0 } = this.unseen
    const lag = this.nextLag()
    if (lag + create + change === 0) return this.#instances.all
    const moment = this.#clock.now() - lag
    return this.#instances
      .histories()
      .filter(({ instance }) => instance.createdAt + create <= moment)
      .map((history) => history.at(moment - change))
      .filter(({ goneAt }) => goneAt === undefined)
      .toArray()
  }

  /** For a call by its id. */
  find(id: string): Instance | undefined {
    const { create = 0, writes = false } = this.unseen
    const instance = this.#instances.get(id)
    return instance && writes && instance.createdAt + create > this.#clock.now() ? undefined : instance
  }
}
