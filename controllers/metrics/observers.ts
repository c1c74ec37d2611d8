import type { CallMade } from '../../providers/cloud.ts'
import type { PassMade } from '../runtime/controller/controller.ts'
import type { RequestMade } from '../runtime/client/observed-client.ts'
import type { RelistReason } from '../runtime/cache/reflector.ts'
import type { Metrics } from './metrics.ts'

/** These functions turn callbacks into series. */
export function countRequests(metrics: Metrics): (made: RequestMade) => void {
  return ({ verb, error }) => metrics.count('apiserverRequests', { verb, code: codeOf(error) })
}

function codeOf(error: RequestMade['error']): string {
  if (!error) return '2xx'
  return error.status === 0 ? error.reason : String(error.status)
}

export function countRelists(metrics: Metrics, kind: string): (reason: RelistReason) => void {
  return (reason) => metrics.count('relists', { kind, reason })
}

export function countPasses(metrics: Metrics, controller: string): (made: PassMade) => void {
  return ({ result, ms }) => {
    metrics.count('reconciles', { controller, result })
    metrics.observe('reconcileSeconds', { controller }, ms / 1000)
  }
}

export function countCloudCalls(metrics: Metrics): (made: CallMade) => void {
  return ({ scope: { cloud }, action, code, ms, waitedMs }) => {
    metrics.count('cloudCalls', { cloud, action, code })
    metrics.observe('cloudCallSeconds', { cloud, action }, ms / 1000)
    metrics.observe('throttleWaitSeconds', { cloud, action }, waitedMs / 1000)
  }
}
