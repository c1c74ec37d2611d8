import type { Ctx } from '../../../api/ctx.ts'
import { runController, type ControllerOptions } from './controller.ts'
import type { Watching } from '../cache/watching.ts'

/** The part of a controller's options that does not depend on what it reconciles. */
export type Run = Pick<ControllerOptions, 'queue' | 'workers' | 'onPass' | 'held'>

export interface Serving extends ControllerOptions {
  readonly watches: readonly Watching[]
}

/** Runs a controller and its watches until ctx ends. */
export async function runWatched({ watches, ...controller }: Serving, ctx: Ctx): Promise<void> {
  const stops = watches.map((watch) => watch.begin(controller.queue))
  try {
    await runController(controller, ctx)
  } finally {
    for (const stop of stops) stop()
    // Delayed keys would keep the process alive until their time.
    controller.queue.shutdown()
  }
}
