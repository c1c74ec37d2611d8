import type { Clock } from '../../../../api/ctx.ts'
import type { History, Version } from './history.ts'
import { ReadLag, type Lag } from './read-lag.ts'

/** The instances of a cloud, as they are and as they were. */
export interface SeenInstances<T extends object> {
  /** What there is to see now. */
  visible(): readonly Version<T>[]
  /** Everything not yet forgotten, what is gone too. */
  histories(): IteratorObject<History<T>>
  /** Whether lists show an instance that looks like this. */
  isShown(version: Readonly<T>): boolean
}

/** What calls see of the instances: sometimes the past. */
export class Sight<T extends object, I extends SeenInstances<T> = SeenInstances<T>> extends ReadLag {
  protected readonly instances: I

  constructor(instances: I, clock: Clock, lag?: Lag) {
    super(clock, lag)
    this.instances = instances
  }

  /** For one call that lists, once: the next call may see more, or less. */
  look(): readonly Version<T>[] {
    const { create = 0, delete: change = 0, tags = 0 } = this.unseen
    const lag = this.nextLag()
    if (lag + create + change + tags === 0) return this.instances.visible()
    const moment = this.clock.now() - lag
    return this.instances
      .histories()
      .map((history) => this.seen(history, moment))
      .filter((version) => version !== undefined)
      .toArray()
  }

  /** What an answer from a past moment shows of an instance. */
  protected seen(history: History<T>, moment: number): Version<T> | undefined {
    const { create = 0, delete: change = 0 } = this.unseen
    if (history.madeAt + create > moment) return undefined
    const version = history.at(moment - change)
    return this.instances.isShown(version) ? version : undefined
  }

  /** Whether calls that change something know of what was made then. */
  protected isKnown(madeAt: number): boolean {
    const { create = 0, writes = false } = this.unseen
    return !writes || madeAt + create <= this.clock.now()
  }
}
