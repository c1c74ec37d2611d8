import type { Ctx } from '../../api/ctx.ts'
import type { Reflection } from '../runtime/cache/cache.ts'
import type { ControllerOptions, PassMade } from '../runtime/controller/controller.ts'
import type { Runnable } from '../runtime/process/manager.ts'
import type { Precedence } from '../runtime/controller/precedence.ts'
import type { Queue } from '../runtime/controller/queue.ts'
import {
  unlessConnected,
  writeGate,
  type NamedCache,
  type Objection,
  type WriteGate,
} from '../runtime/process/write-gate.ts'
import type { Run } from '../runtime/controller/run-watched.ts'

type PartCache = Pick<Reflection<unknown>, 'run' | 'synced' | 'tried' | 'hasSynced' | 'hasTried' | 'connected'>

/** The runnables of a part: its caches and its controllers. */
export interface Running {
  readonly caches: Runnable[]
  readonly controllers: Runnable[]
}

export interface PartOptions {
  /** The objections to writes that hold for the whole manager. */
  readonly objections: readonly Objection[]
  readonly prove: (ctx: Ctx) => Promise<void>
  readonly precedence: Precedence
  /** Makes a queue for the controller of this name, and a callback for its passes. */
  readonly run: (controller: string) => { queue: Queue; onPass: (made: PassMade) => void }
}

/**
 * Caches and controllers that belong together, such as those of one cloud. A missing kind, or one that cannot be
 * listed, stops this part and no other.
 */
export class Part {
  readonly gate: WriteGate
  readonly #caches: (NamedCache & { readonly cache: PartCache })[] = []
  readonly #run: PartOptions['run']
  readonly #precedence: Precedence

  constructor({ objections, prove, precedence, run }: PartOptions) {
    this.#run = run
    this.#precedence = precedence
    this.gate = writeGate([...objections, unlessConnected(this.#caches)], prove)
  }

  get caches(): readonly (NamedCache & { readonly cache: PartCache })[] {
    return this.#caches
  }

  /** A cache as a runnable. The next runnable starts after its first list, or after the first failure to get one. */
  cache(kind: string, cache: PartCache): Runnable {
    this.#caches.push({ kind, cache })
    return { name: `${kind} cache`, run: (ctx) => cache.run(ctx), ready: (ctx) => cache.tried(ctx) }
  }

  /** A cache that another part runs. The controllers of this part wait for it, and write nothing without it. */
  follow(kind: string, cache: PartCache): void {
    this.#caches.push({ kind, cache })
  }

  controller(name: string, workers: number): Run & Pick<ControllerOptions, 'held'> {
    return { ...this.#run(name), workers, held: () => this.gate.closed() ?? this.#precedence.why() }
  }

  /** While it has more urgent keys than `backlog`, the controllers of all parts wait for it. */
  controllerAhead(
    name: string,
    { workers, backlog }: { workers: number; backlog: number },
  ): Run & Pick<ControllerOptions, 'held'> {
    const run = this.#run(name)
    this.#precedence.give({ queue: run.queue, backlog })
    return { ...run, workers, held: () => this.gate.closed() }
  }

  /** The controllers of this part. They start when all its caches have been listed. */
  acting(controllers: readonly Runnable[]): Runnable[] {
    return controllers.map((controller) => ({
      ...controller,
      run: async (ctx) => {
        await Promise.all(this.#caches.map(({ cache }) => cache.synced(ctx)))
        await controller.run(ctx)
      },
    }))
  }
}
