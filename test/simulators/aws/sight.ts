import type { Clock } from '../../../api/ctx.ts'
import { randomFrom } from '../common/random.ts'
import type { History } from './history.ts'
import type { Instance, InstanceVersion } from './instance.ts'
import { isShown, type Instances } from './instances.ts'

/** How late changes are seen, in milliseconds. What is left out is seen at once. */
export interface Invisible {
  /** A launched instance. */
  readonly create?: number
  /** A stop, an end, and every other change of state. */
  readonly delete?: number
  /** Tags: also those of the launch itself. */
  readonly tags?: number
  /** TerminateInstances and CreateTags do not know of a launched instance any earlier than lists do. */
  readonly writes?: boolean
}

/** Every list is late by some time of its own: the same times for the same seed. */
export interface Lag {
  readonly minMs: number
  readonly maxMs: number
  readonly seed?: number
}

/** What calls see of the instances: in EC2 that is the past. Launches by token do not look here. */
export class Sight {
  readonly #instances: Instances
  readonly #clock: Clock
  #invisible: Invisible = {}
  #lag: Lag = { minMs: 0, maxMs: 0 }
  #random = randomFrom(0)

  constructor(instances: Instances, clock: Clock) {
    this.#instances = instances
    this.#clock = clock
  }

  invisible(invisible: Invisible): void {
    this.#invisible = invisible
  }

  lag(lag: Lag): void {
    this.#lag = lag
    this.#random = randomFrom(lag.seed ?? 1)
  }

  /** For one call that lists, once: the next call may see more, or less. */
  look(): readonly InstanceVersion[] {
    const now = this.#clock.now()
    const { minMs, maxMs } = this.#lag
    const { create = 0, delete: change = 0, tags = 0 } = this.#invisible
    if (maxMs + create + change + tags === 0) return this.#instances.visible(now)
    const moment = now - (minMs + (maxMs - minMs) * this.#random())
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
    const { create = 0, writes = false } = this.#invisible
    const instance = this.#instances.get(id)
    if (!instance || !isShown(instance, now)) return undefined
    return writes && instance.launchedAt + create > now ? undefined : instance
  }
}

function seen(history: History, moment: { state: number; tags: number }): InstanceVersion {
  const version = history.at(moment.state)
  const tags = history.tagsAt(moment.tags)
  return tags === version.tags ? version : { ...version, tags }
}
