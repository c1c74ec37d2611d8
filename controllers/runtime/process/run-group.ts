import type { Ctx } from '../../../api/ctx.ts'
import type { Runnable } from './manager.ts'

/**
 * Several runnables as one. They start and stop at the same time, because one that has stopped must not leave another
 * waiting for it. If one fails, all stop. The group ends when all have ended.
 */
export function runGroup(name: string, parts: readonly Runnable[]): Runnable {
  return {
    name,
    async run(ctx) {
      const inner = new AbortController()
      const follow = () => inner.abort(ctx.signal.reason)
      ctx.signal.addEventListener('abort', follow, { once: true })
      if (ctx.signal.aborted) follow()
      const running = parts.map((part) => runPart(part, inner, ctx))
      const results = await Promise.allSettled(running)
      ctx.signal.removeEventListener('abort', follow)
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

async function runPart(part: Runnable, inner: AbortController, ctx: Ctx): Promise<void> {
  try {
    await part.run({ ...ctx, signal: inner.signal })
    if (!inner.signal.aborted) throw new Error('It ended, though nothing asked it to.')
  } catch (error) {
    if (inner.signal.aborted && error === inner.signal.reason) return
    const failure = new Error(`${part.name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
    inner.abort(failure)
    throw failure
  }
}
