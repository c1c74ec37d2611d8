import type { InfraMachine } from '../../api/machine.ts'
import type { CloudName } from '../../api/scope.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { Queue } from '../runtime/controller/queue.ts'
import type { Wakes } from '../shared/wakes.ts'

/** A cloud that takes an instance back does not wait: its machine comes before all others. */
export const urgent = 100

/** The machines of one cloud and the queue of their controller. */
export interface QueuedMachines {
  /** With the index `tag`, by the digest that stands in the tag of the instance. */
  readonly infraMachines: Pick<Cache<InfraMachine>, 'by'>
  readonly queue: Pick<Queue, 'add'>
}

/** Every cloud has its queue here before the first fleet begins, so no change can be lost for want of a controller. */
export class QueueWakes implements Wakes {
  readonly #machines: Readonly<Record<CloudName, QueuedMachines>>

  constructor(machines: Readonly<Record<CloudName, QueuedMachines>>) {
    this.#machines = machines
  }

  instanceChanged(cloud: CloudName, digest: string): void {
    const { infraMachines, queue } = this.#machines[cloud]
    for (const machine of infraMachines.by('tag', digest)) queue.add(keyOf(machine), { priority: urgent })
  }
}
