import type { Ctx } from '../../api/ctx.ts'
import type { Reflection } from '../runtime/cache/cache.ts'
import type { ControllerOptions, PassMade } from '../runtime/controller/controller.ts'
import type { Runnable } from '../runtime/process/manager.ts'
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

/** What of a part runs: what reads, and what acts. */
export interface Running {
  readonly caches: Runnable[]
  readonly controllers: Runnable[]
}

export interface PartOptions {
  /** What holds up the whole manager. */
  readonly objections: readonly Objection[]
  readonly prove: (ctx: Ctx) => Promise<void>
  /** A queue for the controller of this name, and who is told of its passes. */
  readonly run: (controller: string) => { queue: Queue; onPass: (made: PassMade) => void }
}

/**
 * What belongs together, such as all of one cloud. A kind of it that is missing, or cannot be listed, stops this part
 * and no other.
 */
export class Part {
  readonly gate: WriteGate
  readonly #caches: (NamedCache & { readonly cache: PartCache })[] = []
  readonly #run: PartOptions['run']

  constructor({ objections, prove, run }: PartOptions) {
    this.#run = run
    this.gate = writeGate([...objections, unlessConnected(this.#caches)], prove)
  }

  get caches(): readonly (NamedCache & { readonly cache: PartCache })[] {
    return this.#caches
  }

  /** A cache as a part of the program. The next one begins when it is whole, or its first list was not to be had. */
  cache(kind: string, cache: PartCache): Runnable {
    this.#caches.push({ kind, cache })
    return { name: `${kind} cache`, run: (ctx) => cache.run(ctx), ready: (ctx) => cache.tried(ctx) }
  }

  controller(name: string, workers: number): Run & Pick<ControllerOptions, 'held'> {
    return { ...this.#run(name), workers, held: () => this.gate.closed() }
  }

  /** Whoever acts on it: not before all of it has been listed. */
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
