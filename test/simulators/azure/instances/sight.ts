import { ReadLag } from '../../kit/instances/read-lag.ts'
import type { Resource, Shelf } from './resources.ts'

/** What calls see of the resources: in lists that is the past. Calls that change something do not look here. */
export class ArmSight extends ReadLag {
  /** For one call that lists, once: the next call may see more, or less. */
  look<T extends Resource>(shelf: Shelf<T>): readonly T[] {
    return this.#seenAfter(shelf, this.nextLag())
  }

  /** For a call that asks for one. */
  find<T extends Resource>(shelf: Shelf<T>, id: string): T | undefined {
    if (!this.unseen.gets) return shelf.get(id)
    return this.#seenAfter(shelf, 0).find((one) => one.id.toLowerCase() === id.toLowerCase())
  }

  #seenAfter<T extends Resource>(shelf: Shelf<T>, lateMs: number): readonly T[] {
    const { create = 0, delete: change = 0, tags = 0 } = this.unseen
    if (lateMs + create + change + tags === 0) return shelf.all
    const moment = this.clock.now() - lateMs
    return shelf.at({ created: moment - create, state: moment - change, tags: moment - tags })
  }
}
