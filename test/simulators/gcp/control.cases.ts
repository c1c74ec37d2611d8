import { expect, test } from 'vitest'
import { onDemand, startGce, zone } from './fixture.ts'

test('GET lists what can be done, each with its meaning and its fields, and what can be seen', async () => {
  await using gce = await startGce()
  const { status, json } = await gce.control('')
  expect(status).toBe(200)
  const { verbs, views } = json as { verbs: { verb: string; does: string; fields: object }[]; views: string[] }
  const ofInstances = ['interrupt', 'stop', 'terminate', 'vanish', 'impair', 'repair']
  const ofSupply = ['no-capacity', 'capacity-back', 'quota', 'lift-quota', 'reserve', 'cancel-reservation']
  const ofTrouble = ['invisible', 'lag', 'unreachable', 'reachable', 'buckets', 'latency', 'chaos']
  const ofCalls = ['fail-next', 'fail-next-operation', 'lose-answer', 'spoil-next', 'accept-tokens', 'expire-tokens']
  const ofHolds = ['hold', 'reached', 'release', 'drop', 'clear-faults', 'reset-counts']
  expect(new Set(verbs.map(({ verb }) => verb))).toEqual(
    new Set([...ofInstances, ...ofSupply, ...ofTrouble, ...ofCalls, ...ofHolds]),
  )
  expect(verbs.every(({ does }) => does.length > 10)).toBe(true)
  const ofState = ['instances', 'remains', 'capacity', 'quotas', 'reservations', 'service-account-key', 'buckets']
  expect(views).toEqual([...ofState, 'requests', 'counts', 'holds'])
})

test('an instance is found by its name and by its id', async () => {
  await using gce = await startGce()
  const { targetId } = await gce.inserted()
  await gce.inserted({ name: 'other', ...onDemand })
  await gce.clock.advance(2000)
  expect(await gce.control('interrupt', { id: targetId })).toMatchObject({ status: 200, json: { done: true } })
  await gce.control('stop', { id: 'other', reason: 'guest' })
  await gce.clock.advance(1000)
  expect((await gce.control('instances')).json).toMatchObject([
    {
      id: targetId,
      name: 'worker',
      state: 'TERMINATED',
      reason: 'compute.instances.preempted',
      instanceType: 'e2-standard-2',
      zone,
      market: 'spot',
      privateIp: '10.0.0.2',
      privateDnsName: `worker.${zone}.c.spot-simulated.internal`,
      tags: { role: 'worker' },
      launchedAt: '2026-01-01T00:00:00.000Z',
    },
    { name: 'other', market: 'on-demand', reason: 'compute.instances.guestTerminate' },
  ])
  expect((await gce.control('remains')).json).toEqual({
    instances: ['worker', 'other'],
    disks: ['worker', 'other'],
    addresses: ['10.0.0.2', '10.0.0.3'],
  })
})

test.each<[string, string, unknown, string | RegExp]>([
  ['an instance that is not there', 'stop', { id: 'gone' }, 'There is no instance gone;'],
  ['an instance in another state', 'repair', { id: 'worker' }, 'Instance worker is PROVISIONING; it must be REPAIRING'],
  ['a reason that is none', 'stop', { id: 'worker', reason: 'fun' }, '"reason" must be one of user, guest, '],
  ['a market that is none', 'no-capacity', { market: 'black' }, '"market" must be "spot" or "on-demand".'],
  ['a metric that is none', 'quota', { metric: 'GPUS', limit: 1 }, '"metric" must be one of CPUS, '],
  ['a limit below nothing', 'quota', { metric: 'CPUS', limit: -1 }, '"limit" must be a number from 0.'],
  ['a zone that is none', 'unreachable', { zone: 'us-central1' }, '"zone" must be one of us-central1-a, '],
  ['rate quotas that are unknown', 'buckets', { table: 'gce' }, '"table" must be "real" or "none".'],
  ['rate quotas of no size', 'buckets', { table: 'real', scale: 0 }, '"scale" must be a number above 0'],
  ['a lag that ends before it begins', 'lag', { min: '2s', max: '1s' }, '"max" must not be less than "min".'],
  ['tokens that are unknown', 'accept-tokens', { which: 'good' }, '"which" must be "issued" or "any".'],
  ['a reservation that is not there', 'cancel-reservation', { name: 'x' }, 'There is no reservation x;'],
  [
    'a reservation in no zone',
    'reserve',
    { instanceType: 'e2-standard-2', zone: 'x', count: 1 },
    '"zone" must be one of us-central1-a, ',
  ],
  [
    'a reservation of no type',
    'reserve',
    { instanceType: 'm5.large', zone, count: 1 },
    'There is no machine type "m5.large" in the catalogue.',
  ],
])('%s is refused in a sentence', async (_, verb, body, message) => {
  await using gce = await startGce()
  await gce.inserted()
  const answer = await gce.control(verb, body)
  expect(answer.status).toBe(400)
  expect((answer.json as { error: string }).error).toMatch(message)
})

test('the facts are what somebody has to know to insert something', async () => {
  await using gce = await startGce()
  expect(gce.simulator.facts).toEqual({
    cloud: 'gcp',
    url: gce.simulator.url,
    project: 'spot-simulated',
    region: 'us-central1',
    zones: ['us-central1-a', 'us-central1-b', 'us-central1-c', 'us-central1-f'],
    network: 'spot',
    subnet: 'projects/spot-simulated/regions/us-central1/subnetworks/spot',
    image: 'projects/spot-simulated/global/images/capi-ubuntu-2404-k8s-v1-36-20260101',
  })
})

test('calls are counted by action and by code, lost ones too', async () => {
  await using gce = await startGce()
  await gce.inserted()
  await gce.insert()
  gce.simulator.control.answerLostAfterCommit('instances.insert')
  await expect(gce.insert({ name: 'lost' })).rejects.toThrow('fetch failed')
  expect((await gce.control('counts')).json).toMatchObject({
    calls: 3,
    lost: 1,
    codes: { OK: 2, alreadyExists: 1 },
    actions: { 'instances.insert': { calls: 3, lost: 1, codes: { OK: 2, alreadyExists: 1 } } },
  })
})
