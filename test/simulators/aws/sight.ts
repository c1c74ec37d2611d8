import type { Clock } from '../../../api/ctx.ts'
import type { History } from '../kit/history.ts'
import { Lateness, type Invisible } from '../kit/lateness.ts'
import type { Instance, InstanceVersion } from './instance.ts'
import { isShown, type Instances } from './instances.ts'

/** Of EC2, besides. */
export interface Ec2Invisible extends Invisible {
  /** Tags: also those of the launch itself. */
  readonly tags?: number
  /** TerminateInstances and CreateTags do not know of a launched instance any earlier than lists do. */
  readonly writes?: boolean
}

/** What calls see of the instances: in EC2 that is the past. Launches by token do not look here. */
export class Sight extends Lateness<Ec2Invisible> {
  readonly #instances: Instances
  readonly #clock: Clock

  constructor(instances: Instances, clock: Clock) {
    super()
    this.#instances = instances
    this.#clock = clock
  }

  /** For one call that lists, once: the next call may see more, or less. */
  look(): readonly InstanceVersion[] {
    const now = this.#clock.now()
    const { create = 0, delete: change = 0, tags = 0 } = this.unseen
    const lag = this.nextLag()
    if (lag + create + change + tags === 0) return this.#instances.visible(now)
    const moment = now - lag
    return this.#instances
      .histories()
      .filter(({ instance }) => instance.launchedAt + create <= moment)
      .map((history) => seen(history, { state: moment - change, tags: moment - tags }))
      .filter((version) => isShown(version, now))
      .toArray()
  }

  /** For a call that changes something. */
  find(id: string): Instance | undefined {
    const now = this.#clock.now()
    const { create = 0, writes = false } = this.unseen
    const instance = this.#instances.get(id)
    if (!instance || !isShown(instance, now)) return undefined
    return writes && instance.launchedAt + create > now ? undefined : instance
  }
}

function seen(history: History<Instance>, moment: { state: number; tags: number }): InstanceVersion {
  const version = history.at(moment.state)
  const tags = history.known(moment.tags)?.tags ?? []
  return tags === version.tags ? version : { ...version, tags }
}
