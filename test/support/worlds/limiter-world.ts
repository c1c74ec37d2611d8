import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { Limiter, type Turn } from '../../../providers/wire/limiter.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietCtx } from '../fakes/quiet-ctx.ts'

/** A limiter, its clock, and what was called when. */
export function rig(table: ConstructorParameters<typeof Limiter>[0]) {
  const clock = new FakeClock(0)
  const limiter = new Limiter(table)
  const made: { name: string; at: number }[] = []
  const ask = (name: string, turn: Turn, over: Partial<Ctx> = {}): Promise<string> => {
    const call = async () => {
      made.push({ name, at: clock.monotonic() })
      return name
    }
    const answer = limiter.run(turn, call, { ...quietCtx({ clock }), ...over })
    answer.catch(() => {})
    return answer
  }
  return { clock, limiter, made, ask, names: () => made.map(({ name }) => name) }
}

export const slow = { slow: { burst: 1, perSecond: 1 } }
export const turn = (over: Partial<Turn> = {}): Turn => ({ bucket: 'slow', priority: 'launch', ...over })
export const throttled = (retryAfterMs?: number) =>
  new CloudError('throttled', { code: 'Slow', message: 'x', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
