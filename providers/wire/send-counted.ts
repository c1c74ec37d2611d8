import type { Ctx } from '../../api/ctx.ts'
import type { CallMade, CloudSettings } from '../cloud.ts'
import { areWritesHeld, writesHeld } from '../errors.ts'
import type { CloudError } from '../../api/cloud-error.ts'

export type Sent = Pick<CallMade, 'scope' | 'action' | 'waitedMs'>

interface Sending<T> {
  readonly sent: Sent
  readonly send: () => Promise<T>
  /** The failure as the cloud's table has it. */
  readonly errorOf: (thrown: unknown) => CloudError
}

/** Sends one request, logs it, and counts it. */
export async function sendCounted<T>(
  { sent, send, errorOf }: Sending<T>,
  settings: CloudSettings,
  ctx: Ctx,
): Promise<T> {
  const begun = ctx.clock.monotonic()
  /** Undefined: it was never sent. */
  let code: string | undefined = 'OK'
  try {
    return await send()
  } catch (thrown) {
    const error = errorOf(thrown)
    code = areWritesHeld(error) ? undefined : error.code
    const { scope, action } = sent
    // That there is none is an answer to a look.
    if (code !== undefined && error.kind !== 'missing') {
      ctx.log.debug('The cloud refused a call', { cloud: scope.cloud, action, code, cause: error.message })
    }
    throw error
  } finally {
    if (code !== undefined) {
      const made = { ...sent, code, ms: ctx.clock.monotonic() - begun }
      const { scope, ...line } = made
      ctx.log.trace('Asked the cloud', { cloud: scope.cloud, region: scope.region, ...line })
      settings.onCall?.(made)
    }
  }
}

/**
 * Called right before a write, with nothing to wait for in between. Its turn or its token may have come long after the
 * caller asked, and the whole process may have stood still meanwhile.
 */
export function refuseWhileHeld({ held }: CloudSettings): void {
  const why = held?.()
  if (why !== undefined) throw writesHeld(why)
}
