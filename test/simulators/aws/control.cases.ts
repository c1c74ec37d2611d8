import { expect, test } from 'vitest'
import { refusalOf, startEc2 } from './fixture.ts'

test('GET lists what can be done, each with its meaning and its fields, and what can be seen', async () => {
  await using ec2 = await startEc2()
  const { status, json } = await ec2.control('')
  expect(status).toBe(200)
  const { verbs, views } = json as { verbs: { verb: string; does: string; fields: object }[]; views: string[] }
  const names = verbs.map(({ verb }) => verb)
  const ofInstances = ['interrupt', 'stop', 'terminate', 'vanish', 'impair', 'repair', 'accept-keys', 'add-account']
  const ofSupply = ['no-capacity', 'capacity-back', 'reserve', 'cancel-reservation', 'spot-price']
  const ofTrouble = ['invisible', 'lag', 'buckets', 'latency', 'chaos', 'fail-next', 'lose-answer', 'spoil-next']
  const ofHolds = ['hold', 'reached', 'release', 'drop', 'clear-faults', 'reset-counts']
  expect(new Set(names)).toEqual(new Set([...ofInstances, ...ofSupply, ...ofTrouble, ...ofHolds]))
  expect(names.every((name) => /^[a-z]+(-[a-z]+)*$/.test(name))).toBe(true)
  expect(verbs.every(({ does }) => does.length > 10)).toBe(true)
  expect(verbs.find(({ verb }) => verb === 'stop')?.fields).toEqual({ id: 'text', reason: 'text?' })
  expect(views).toEqual(['instances', 'remains', 'capacity', 'reservations', 'buckets', 'requests', 'counts', 'holds'])
})

test('an instance is interrupted by one command', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  await ec2.clock.advance(2000)
  expect(await ec2.control('interrupt', { id })).toMatchObject({ status: 200, json: { done: true } })
  await ec2.clock.advance(1000)
  expect((await ec2.control('instances')).json).toMatchObject([
    {
      id,
      state: 'terminated',
      reason: 'Server.SpotInstanceTermination',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      market: 'spot',
      privateDnsName: 'ip-10-0-0-4.ec2.internal',
      tags: { Name: 'worker' },
    },
  ])
})

test('what is left: instances with their interfaces, and disks that outlive them', async () => {
  await using ec2 = await startEc2()
  const kept = { DeviceName: '/dev/sdb', Ebs: { VolumeSize: 8, DeleteOnTermination: false } }
  const ids = [await ec2.launchOne({ BlockDeviceMappings: [kept] }), await ec2.launchOne()]
  const left = async () => (await ec2.control('remains')).json as Record<string, readonly string[]>
  const { instances, interfaces, disks } = await left()
  expect(instances).toEqual(ids)
  expect([interfaces?.length, disks?.length]).toEqual([2, 3])
  for (const id of ids) await ec2.control('terminate', { id })
  await ec2.clock.advance(2000)
  expect(await left()).toEqual({ instances: [], interfaces: [], disks: [expect.stringMatching(/^vol-/)] })
})

test.each<[string, string, unknown, [number, string | RegExp]]>([
  ['an unknown verb', 'explode', {}, [404, /There is no verb "explode"\. The verbs are: interrupt, stop, /]],
  ['a field that is missing', 'stop', {}, [400, '"stop" needs the field "id".']],
  [
    'a field that is unknown',
    'stop',
    { id: 'i-1', when: 'now' },
    [400, '"stop" has no field "when"; its fields are: id, reason.'],
  ],
  ['a field of another type', 'stop', { id: 7 }, [400, '"id" must be a string that is not empty.']],
  ['a duration that is none', 'no-capacity', { for: 'long' }, [400, '"for" must be a duration']],
  ['a market that is none', 'no-capacity', { market: 'black' }, [400, '"market" must be "spot" or "on-demand".']],
  ['an instance that is not there', 'stop', { id: 'i-1' }, [400, 'There is no instance i-1;']],
  ['a hold that is not there', 'release', { hold: 'hold-9' }, [400, 'There is no hold "hold-9";']],
  ['a point that is none', 'hold', { action: 'RunInstances', when: 'later' }, [400, '"when" must be "before"']],
  ['a truth that is none', 'invisible', { writes: 'yes' }, [400, '"writes" must be true or false.']],
  ['a check that EC2 has not', 'impair', { id: 'i-1', check: 'fan' }, [400, '"check" must be "system" or "instance".']],
  ['buckets that are unknown', 'buckets', { table: 'ec3' }, [400, '"table" must be "real" or "none".']],
  ['buckets of no size', 'buckets', { table: 'real', scale: 0 }, [400, '"scale" must be a number above 0']],
  ['a lag that ends before it begins', 'lag', { min: '2s', max: '1s' }, [400, '"max" must not be less than "min".']],
  ['a harm that is unknown', 'spoil-next', { action: '*', how: 'burn' }, [400, /"how" must be one of empty-page, /]],
  ['a rate above 1', 'chaos', { rate: 2 }, [400, '"rate" must be a number from 0']],
  ['a chaos that is unknown', 'chaos', { rate: 1, kinds: 'slow, odd' }, [400, /"kinds" must be some of throttle, /]],
  ['a price of nothing', 'spot-price', { instanceType: 'm5.large', price: 0 }, [400, '"price" must be a number']],
  [
    'a price where there is no market',
    'spot-price',
    { instanceType: 'g5.xlarge', price: 1, zone: 'us-east-1c' },
    [400, 'There is no spot market for "g5.xlarge" in us-east-1c.'],
  ],
  [
    'a reservation in no zone',
    'reserve',
    { instanceType: 'm5.large', zone: 'x', count: 1 },
    [400, '"zone" must be one of us-east-1a, '],
  ],
  [
    'a reservation of no type',
    'reserve',
    { instanceType: 'm5.huge', zone: 'us-east-1a', count: 1 },
    [400, 'There is no instance type "m5.huge" in the catalogue.'],
  ],
  [
    'a reservation of no kind',
    'reserve',
    { instanceType: 'm5.large', zone: 'us-east-1a', count: 1, kind: 'big' },
    [400, '"kind" must be "default" or "capacity-block".'],
  ],
  ['a reservation that is not there', 'cancel-reservation', { id: 'cr-0' }, [400, 'There is no reservation cr-0;']],
  ['a body that is no object', 'stop', [], [400, 'The body must be a JSON object']],
])('%s is refused in a sentence', async (_, verb, body, [status, message]) => {
  await using ec2 = await startEc2()
  const answer = await ec2.control(verb, body)
  expect(answer.status).toBe(status)
  expect((answer.json as { error: string }).error).toMatch(message)
})

test('what is not JSON, and what is not there to see, is refused in a sentence', async () => {
  await using ec2 = await startEc2()
  const broken = await fetch(`${ec2.simulator.url}/_control/stop`, { method: 'POST', body: '{' })
  expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining('The body is not JSON') as string])
  expect(await ec2.control('nodes')).toMatchObject({
    status: 404,
    text: expect.stringContaining('There is: instances,') as string,
  })
})

test('capacity and failures over HTTP', async () => {
  await using ec2 = await startEc2()
  await ec2.control('no-capacity', { instanceType: 'm5.large', for: '1m' })
  expect((await ec2.control('capacity')).json).toEqual([{ instanceType: 'm5.large', until: ec2.clock.now() + 60_000 }])
  expect(await refusalOf(ec2.launch())).toMatchObject({ code: 'InsufficientInstanceCapacity' })
  await ec2.clock.advance(60_000)
  await ec2.control('fail-next', { action: 'RunInstances', code: 'VcpuLimitExceeded', message: 'No more.' })
  expect(await refusalOf(ec2.launch())).toEqual({ code: 'VcpuLimitExceeded', status: 400, message: 'No more.' })
  await ec2.launch()
})

test('a hold over HTTP, for tests in another process', async () => {
  await using ec2 = await startEc2()
  const { json } = await ec2.control('hold', { action: 'RunInstances', when: 'after' })
  const { hold } = json as { hold: string }
  expect((await ec2.control('holds')).json).toEqual([{ hold, action: 'RunInstances', when: 'after' }])
  const reached = ec2.control('reached', { hold })
  const launch = ec2.launch()
  expect((await reached).json).toMatchObject({ action: 'RunInstances', answer: { status: 200 } })
  await ec2.control('release', { hold })
  await launch
  expect((await ec2.control('holds')).json).toEqual([])
  expect((await ec2.control('requests')).json).toMatchObject([{ action: 'RunInstances', lost: false }])
})

test('access keys over HTTP', async () => {
  await using ec2 = await startEc2()
  await ec2.control('accept-keys', { keys: { OTHER: 'secret' } })
  expect(await refusalOf(ec2.launch())).toMatchObject({ code: 'AuthFailure' })
  await ec2.control('accept-keys', {})
  await ec2.launch()
})
