import { expect, test } from 'vitest'
import { usualBehaviour } from './behaviour.ts'
import { refusalOf, startIbm } from './fixture.ts'

test('GET lists what can be done, each with its meaning and its fields, and what can be seen', async () => {
  await using ibm = await startIbm()
  const { status, json } = await ibm.control('')
  expect(status).toBe(200)
  const { verbs, views } = json as { verbs: { verb: string; does: string; fields: object }[]; views: string[] }
  const names = verbs.map(({ verb }) => verb)
  const ofInstances = [
    'interrupt',
    'stop',
    'terminate',
    'vanish',
    'fail',
    'accept-keys',
    'expire-tokens',
    'add-account',
  ]
  const ofSupply = ['no-capacity', 'capacity-back', 'fail-next-launch', 'reserve', 'cancel-reservation', 'quota']
  const ofBehaviour = ['behave', 'retry-after', 'invisible', 'lag', 'buckets', 'latency', 'chaos']
  const ofFaults = ['fail-next', 'lose-answer', 'spoil-next', 'hold', 'reached', 'release', 'drop', 'clear-faults']
  const all = [...ofInstances, ...ofSupply, ...ofBehaviour, ...ofFaults, 'reset-counts']
  expect(new Set(names)).toEqual(new Set(all))
  expect(verbs.every(({ does }) => does.length > 10)).toBe(true)
  expect(views).toEqual([
    'instances',
    'remains',
    'quotas',
    'capacity',
    'reservations',
    'behaviour',
    'logs',
    'buckets',
    'requests',
    'counts',
    'holds',
  ])
})

test('an instance is taken back by one command, called by its name or its id', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne({ name: 'worker' })
  await ibm.clock.advance(2000)
  expect(await ibm.control('interrupt', { id: 'worker' })).toMatchObject({ status: 200, json: { done: true } })
  await ibm.clock.advance(1000)
  expect((await ibm.control('instances')).json).toEqual([
    {
      id,
      name: 'worker',
      state: 'stopped',
      reason: 'stopped_by_preemption',
      instanceType: 'bxf-2x8',
      zone: 'us-south-1',
      market: 'spot',
      preemption: 'stop',
      privateIp: '10.240.0.4',
      privateDnsName: 'worker',
      tags: {},
      launchedAt: `${new Date(ibm.clock.now() - 3000).toISOString().slice(0, 19)}Z`,
    },
  ])
  expect((await ibm.control('terminate', { id })).status).toBe(200)
})

test('behaviour is seen, changed in one thing, and put back', async () => {
  await using ibm = await startIbm()
  expect((await ibm.control('behaviour')).json).toEqual(usualBehaviour)
  await ibm.control('behave', { switch: 'deletion', to: '202' })
  await ibm.control('behave', { switch: 'capacityFailure', to: 'stopped' })
  expect(ibm.simulator.control.behaviour()).toEqual({ ...usualBehaviour, deletion: '202', capacityFailure: 'stopped' })
  await ibm.control('behave', {})
  expect(ibm.simulator.control.behaviour()).toEqual(usualBehaviour)
})

test.each<[string, string, unknown, [number, string | RegExp]]>([
  ['an unknown verb', 'explode', {}, [404, /There is no verb "explode"\. The verbs are: interrupt, stop, /]],
  ['a field that is missing', 'stop', {}, [400, '"stop" needs the field "id".']],
  ['an instance that is not there', 'stop', { id: 'x' }, [400, 'There is no instance x;']],
  ['a market that is none', 'no-capacity', { market: 'black' }, [400, '"market" must be "spot" or "on-demand".']],
  ['buckets that are unknown', 'buckets', { table: 'ibm' }, [400, '"table" must be "real" or "none".']],
  ['a lag that ends before it begins', 'lag', { min: '2s', max: '1s' }, [400, '"max" must not be less than "min".']],
  [
    'a switch that is none',
    'behave',
    { switch: 'light', to: 'on' },
    [400, '"switch" must be one of capacityFailure, '],
  ],
  ['a behaviour that is none', 'behave', { switch: 'deletion', to: '200' }, [400, '"to" must be "204" or "202".']],
  ['a switch without a word', 'behave', { switch: 'deletion' }, [400, '"to" must be "204" or "202".']],
  ['a quota that is none', 'quota', { name: 'cores', limit: 1 }, [400, '"name" must be one of spotInstances, vcpus, ']],
  ['a quota below nothing', 'quota', { name: 'gpus', limit: -1 }, [400, '"limit" must be a number from 0.']],
  [
    'a reservation in no zone',
    'reserve',
    { instanceType: 'bxf-2x8', zone: 'x', count: 1 },
    [400, '"zone" must be one of us-south-1, '],
  ],
  [
    'a reservation of no profile',
    'reserve',
    { instanceType: 'bxf-3x9', zone: 'us-south-1', count: 1 },
    [400, 'There is no instance type "bxf-3x9" in the catalogue.'],
  ],
  ['a reservation that is not there', 'cancel-reservation', { id: 'r' }, [400, 'There is no reservation r;']],
])('%s is refused in a sentence', async (_, verb, body, [status, message]) => {
  await using ibm = await startIbm()
  const answer = await ibm.control(verb, body)
  expect(answer.status).toBe(status)
  expect((answer.json as { error: string }).error).toMatch(message)
})

test('what an instance is doing decides what can happen to it', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  ibm.simulator.control.stop(id)
  await ibm.clock.advance(1000)
  expect((await ibm.control('interrupt', { id })).json).toEqual({
    error: `Instance ${id} is stopped; it must be pending or starting or running or restarting for this.`,
  })
})

test('capacity and failures over HTTP', async () => {
  await using ibm = await startIbm()
  await ibm.control('no-capacity', { instanceType: 'bxf-2x8', for: '1m' })
  expect((await ibm.control('capacity')).json).toEqual([{ instanceType: 'bxf-2x8', until: ibm.clock.now() + 60_000 }])
  await ibm.clock.advance(60_000)
  expect((await ibm.control('capacity')).json).toEqual([])
  await ibm.control('fail-next', { action: 'create_instance', code: 'over_quota', message: 'No more.' })
  expect(await refusalOf(ibm.launch())).toMatchObject({ code: 'over_quota', message: 'No more.' })
})

test('a hold over HTTP, for tests in another process', async () => {
  await using ibm = await startIbm()
  const { hold } = (await ibm.control('hold', { action: 'create_instance', when: 'after' })).json as { hold: string }
  const reached = ibm.control('reached', { hold })
  const launch = ibm.launch()
  expect((await reached).json).toMatchObject({ action: 'create_instance', answer: { status: 201 } })
  await ibm.control('release', { hold })
  await launch
  expect((await ibm.control('holds')).json).toEqual([])
})
