import type { Ctx } from '../../../api/ctx.ts'
import { runController, type ControllerOptions } from './controller.ts'
import type { Watching } from '../cache/watching.ts'

/** How a controller runs, whatever it reconciles: its queue, who is told of its passes, and who may hold them back. */
export type Run = Pick<ControllerOptions, 'queue' | 'workers' | 'onPass' | 'held'>

export interface Serving extends ControllerOptions {
  readonly watches: readonly Watching[]
}

/** A controller with what feeds it, until ctx ends. */
export async function runWatched({ watches, ...controller }: Serving, ctx: Ctx): Promise<void> {
  const stops = watches.map((watch) => watch.begin(controller.queue))
  try {
    await runController(controller, ctx)
  } finally {
    for (const stop of stops) stop()
    // What waits for its time would keep the process for as long.
    controller.queue.shutdown()
  }
}
