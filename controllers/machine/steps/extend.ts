import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Result } from '../../runtime/controller/result.ts'
import type { Pass } from '../pass.ts'
import { whichInstance } from '../existence/which.ts'

const minutes = 60_000

/**
 * Adds the extensions of a running instance. The machine serves without them, so a refusal leads to an event and does
 * not make the machine fail.
 */
export async function extend(pass: Pass, ctx: Ctx): Promise<Result> {
  const { cloud, instance, infra, deps } = pass
  const which = whichInstance(pass)
  if (!cloud.extend || !which || instance?.state !== 'running') return 'done'
  try {
    const outcome = await cloud.extend(infra, { ...which, id: instance.id }, ctx)
    return outcome === 'done'
      ? 'done'
      : { requeueAfterMs: 10_000, reason: 'the cloud installs the extensions one by one' }
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || thrown.kind !== 'invalid') throw thrown
    const about = { apiVersion: infra.apiVersion, kind: infra.kind, metadata: infra.metadata }
    deps.recorder.event({ object: about, type: 'Warning', reason: 'ExtensionFailed', message: thrown.message }, ctx)
    return { requeueAfterMs: 10 * minutes, reason: 'an extension is refused' }
  }
}
