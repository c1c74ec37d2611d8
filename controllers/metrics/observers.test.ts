import { expect, it } from 'vitest'
import type { Scope } from '../../api/scope.ts'
import { lines } from '../../test/support/metric-lines.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import { Metrics } from './metrics.ts'
import { countCloudCalls, countPasses, countRelists, countRequests } from './observers.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }

it('counts requests to the API server by verb and by what was answered', async () => {
  const metrics = new Metrics()
  const tell = countRequests(metrics)
  const failed = (status: number, reason: string) => new ApiError({ status, reason, message: 'canary' })
  tell({ verb: 'get', begunAt: 0, ms: 1 })
  tell({ verb: 'patch', begunAt: 0, ms: 1, error: failed(409, 'Conflict') })
  tell({ verb: 'patch', begunAt: 0, ms: 1, error: failed(0, 'Unreachable') })
  expect(await lines(metrics, 'capspot_apiserver_requests_total')).toEqual([
    'capspot_apiserver_requests_total{verb="get",code="2xx"} 1',
    'capspot_apiserver_requests_total{verb="patch",code="409"} 1',
    'capspot_apiserver_requests_total{verb="patch",code="Unreachable"} 1',
  ])
})

it('counts passes, relists and calls to a cloud', async () => {
  const metrics = new Metrics()
  countPasses(metrics, 'AWSMachine')({ result: 'again', ms: 1_500 })
  countRelists(metrics, 'Machine')('expired')
  const made = { scope, action: 'RunInstances', code: 'InsufficientInstanceCapacity', ms: 300, waitedMs: 0 }
  countCloudCalls(metrics)(made)
  countCloudCalls(metrics)({ ...made, code: 'OK', waitedMs: 2_000 })
  expect(await lines(metrics, 'capspot_reconciles_total')).toEqual([
    'capspot_reconciles_total{controller="AWSMachine",result="again"} 1',
  ])
  expect(await lines(metrics, 'capspot_reconcile_duration_seconds_sum')).toEqual([
    'capspot_reconcile_duration_seconds_sum{controller="AWSMachine"} 1.5',
  ])
  expect(await lines(metrics, 'capspot_watch_relists_total')).toEqual([
    'capspot_watch_relists_total{kind="Machine",reason="expired"} 1',
  ])
  expect(await lines(metrics, 'capspot_cloud_calls_total')).toEqual([
    'capspot_cloud_calls_total{cloud="aws",action="RunInstances",code="InsufficientInstanceCapacity"} 1',
    'capspot_cloud_calls_total{cloud="aws",action="RunInstances",code="OK"} 1',
  ])
  expect(await lines(metrics, 'capspot_cloud_throttle_wait_seconds_sum')).toEqual([
    'capspot_cloud_throttle_wait_seconds_sum{cloud="aws",action="RunInstances"} 2',
  ])
})
