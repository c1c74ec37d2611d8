import { expect, it } from 'vitest'
import { writeAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import { offeringKey } from '../../api/offering.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { lines } from '../../test/support/metric-lines.ts'
import { countUnannounced, interruptionSeries } from './interruptions.ts'
import { Metrics } from './metrics.ts'

const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
const offering = offeringKey({ capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' })
const annotations = writeAttempt({
  for: 'ns/m',
  owner: 'o',
  n: 1,
  token: 't',
  scope,
  offering,
  startedAt: '2026-01-01T00:00:00Z',
})
const infra: InfraMachine & { apiVersion: string; kind: string } = {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
  kind: 'AWSMachine',
  metadata: { namespace: 'ns', name: 'm', labels: { 'cluster.x-k8s.io/cluster-name': 'c1' }, annotations },
  spec: {},
}
const labels = 'cluster="ns/c1",capacity_type="Spot",instance_type="m5.large",zone="us-east-1a"'

it('counts an interruption that was announced, with the offering that gave it', async () => {
  const metrics = new Metrics()
  interruptionSeries(metrics).announced(infra)
  expect(await lines(metrics, 'capspot_interruptions_total')).toEqual([
    `capspot_interruptions_total{${labels},announced="true"} 1`,
  ])
})

it('counts one that nobody announced by its event, and passes every event on', async () => {
  const metrics = new Metrics()
  const passedOn: string[] = []
  const recorder = countUnannounced(metrics, {
    event: ({ reason }) => void passedOn.push(reason),
    settled: () => Promise.resolve(),
  })
  for (const reason of ['SpotPreemption', 'TakenWithoutNotice']) {
    recorder.event({ object: infra, type: 'Warning', reason, message: 'canary' }, quietCtx())
  }
  expect(passedOn).toEqual(['SpotPreemption', 'TakenWithoutNotice'])
  expect(await lines(metrics, 'capspot_interruptions_total')).toEqual([
    `capspot_interruptions_total{${labels},announced="false"} 1`,
  ])
})

it('counts notices by what came of them, and the seconds', async () => {
  const metrics = new Metrics()
  const series = interruptionSeries(metrics)
  series.notice('aws', { kind: 'Spot', source: 'SpotRequests' }, 'recorded')
  series.passed('drained', 61)
  series.queueAge('aws', 'us-east-1', 0.2)
  expect(await lines(metrics, 'capspot_notice_queue_age_seconds_sum')).toEqual([
    'capspot_notice_queue_age_seconds_sum{cloud="aws",region="us-east-1"} 0.2',
  ])
  expect(await lines(metrics, 'capspot_notices_total')).toEqual([
    'capspot_notices_total{cloud="aws",source="SpotRequests",kind="Spot",result="recorded"} 1',
  ])
  expect(await lines(metrics, 'capspot_notice_seconds_sum')).toEqual(['capspot_notice_seconds_sum{until="drained"} 61'])
})
