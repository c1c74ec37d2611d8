import { expect, test } from 'vitest'
import { startAzure } from './fixture.ts'

test('GET lists what can be done, each with its meaning and its fields, and what can be seen', async () => {
  await using azure = await startAzure()
  const { status, json } = await azure.control('')
  expect(status).toBe(200)
  const { verbs, views } = json as { verbs: { verb: string; does: string; fields: object }[]; views: string[] }
  const ofInstances = ['interrupt', 'stop', 'deallocate', 'terminate', 'vanish', 'accept-keys']
  const ofLists = ['status-list', 'miss-power', 'invisible', 'lag']
  const ofSupply = ['no-capacity', 'capacity-back', 'fail-next-launch', 'quota', 'spot-price', 'hold-interfaces']
  const ofTrouble = ['buckets', 'latency', 'chaos', 'fail-next', 'lose-answer', 'spoil-next']
  const ofHolds = ['hold', 'reached', 'release', 'drop', 'clear-faults', 'reset-counts']
  const names = verbs.map(({ verb }) => verb)
  expect(new Set(names)).toEqual(new Set([...ofInstances, ...ofLists, ...ofSupply, ...ofTrouble, ...ofHolds]))
  expect(verbs.every(({ does }) => does.length > 10)).toBe(true)
  expect(views).toEqual(['instances', 'remains', 'capacity', 'usages', 'buckets', 'requests', 'counts', 'holds'])
})

test('a machine is called by its vmId, its name or its resource id', async () => {
  await using azure = await startAzure()
  const { control } = azure.simulator
  const ids = [await azure.launch('m1'), 'M2', '']
  await azure.launch('m2')
  await azure.launch('m3')
  ids[2] = control.instances()[2]?.resourceId ?? ''
  await azure.clock.advance(2000)
  for (const id of ids) expect(await azure.control('interrupt', { id })).toMatchObject({ status: 200 })
  await azure.clock.advance(1000)
  const { json } = await azure.control('instances')
  expect((json as { state: string }[]).map(({ state }) => state)).toEqual(['deallocated', 'deallocated', 'deallocated'])
})

test('what is left, by name', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  expect((await azure.control('remains')).json).toEqual({
    instances: ['m1'],
    interfaces: ['m1-nic'],
    disks: ['m1_OSDisk'],
    addresses: [],
  })
  await azure.control('vanish', { id: 'm1' })
  expect((await azure.control('remains')).json).toEqual({ instances: [], interfaces: [], disks: [], addresses: [] })
})

test.each<[string, string, unknown, string | RegExp]>([
  ['a machine that is not there', 'stop', { id: 'm9' }, 'There is no machine m9;'],
  ['a machine that does not run yet', 'interrupt', { id: 'm1' }, 'Machine m1 is creating; it must be running'],
  ['a market that is none', 'no-capacity', { market: 'black' }, '"market" must be "spot" or "on-demand".'],
  ['a code that is none', 'no-capacity', { code: 'Nope' }, /"code" must be one of SkuNotAvailable, /],
  ['a quota that is none', 'quota', { name: 'wheels', limit: 4 }, 'There is no quota "wheels";'],
  ['a price of nothing', 'spot-price', { instanceType: 'Standard_D2s_v5', price: 0 }, '"price" must be a number'],
  [
    'a price where there is no market',
    'spot-price',
    { instanceType: 'Standard_B2s', price: 1 },
    'There is no spot market',
  ],
  ['a detail that is none', 'status-list', { detail: 'some' }, '"detail" must be "bare" or "full".'],
  ['a rate above 1', 'miss-power', { rate: 2 }, '"rate" must be a number from 0'],
  ['a lag that ends before it begins', 'lag', { min: '2s', max: '1s' }, '"max" must not be less than "min".'],
  ['buckets that are unknown', 'buckets', { table: 'tub' }, /"table" must be "real" or /],
])('%s is refused in a sentence', async (_, verb, body, message) => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const { status, json } = await azure.control(verb, body)
  expect(status).toBe(400)
  expect((json as { error: string }).error).toMatch(message)
})

test('a machine that is being deleted is nobody else to end', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  azure.simulator.control.terminate('m1')
  expect(() => azure.simulator.control.terminate('m1')).toThrow('Machine m1 is being deleted.')
})
