import { describe, expect, test } from 'vitest'
import { Watched } from '../../../test/support/fakes/watched-source.ts'
import { azureName, azureSource } from './azure.ts'

const ok = (value: unknown) => ({ status: 200, headers: {}, body: JSON.stringify(value) })
const versionOf = (url: string) => new URL(url).searchParams.get('api-version')

function service({ versions = ['2020-07-01', '2024-07-09'] } = {}) {
  const state = { events: [] as unknown[], versions }
  const watched = new Watched(
    (metadata) => azureSource(metadata, 'Spot-1'),
    ({ url, headers }) => {
      if (headers['Metadata'] !== 'true' || !state.versions.includes(versionOf(url) ?? '')) {
        return { status: 400, headers: {}, body: '{"error":"Bad request"}' }
      }
      return ok({ DocumentIncarnation: 1, Events: state.events })
    },
  )
  return { state, watched }
}

const at = 'Thu, 01 Jan 2026 00:00:30 GMT'
const event = (EventType: string, NotBefore: string = at, Resources: unknown = ['spot-1']) => ({
  EventType,
  NotBefore,
  Resources,
  EventStatus: NotBefore ? 'Scheduled' : 'Started',
})

test('asks once a second', async () => {
  const { watched } = service()
  await watched.during(10_000)
  expect(watched.calls).toHaveLength(11)
  expect(watched.calls.map(({ url }) => versionOf(url))).toEqual(Array.from({ length: 11 }, () => '2024-07-09'))
})

test('the first answer may take two minutes, the others not', async () => {
  const { watched } = service()
  await watched.during(1_000)
  expect(watched.calls.map(({ timeoutMs }) => timeoutMs)).toEqual([150_000, 10_000])
})

describe.each([400, 404])('where the newer version is answered with %i', (status) => {
  test('the older one is used, and the newer one tried again after an hour', async () => {
    const { state, watched } = service()
    state.events = [event('Preempt')]
    watched.answer = ({ url }) =>
      versionOf(url) === '2024-07-09'
        ? { status, headers: {}, body: '' }
        : ok({ DocumentIncarnation: 1, Events: state.events })
    await watched.during(60_000)
    const newer = () => watched.calls.filter(({ url }) => versionOf(url) === '2024-07-09').length
    expect(newer()).toBe(1)
    expect(Object.keys(watched.said())).toEqual(['Terminating'])
    await watched.during(60 * 60_000)
    expect(newer()).toBe(2)
  })
})

test('neither version: it is told once, and both are tried again', async () => {
  const { watched } = service({ versions: [] })
  await watched.during(30_000)
  expect(new Set(watched.calls.map(({ url }) => versionOf(url)))).toEqual(new Set(['2024-07-09', '2020-07-01']))
  expect(watched.log.lines).toHaveLength(1)
})

test.each([
  ['Preempt', 'Terminating', 'Azure takes this machine back, not before 2026-01-01T00:00:30Z'],
  [
    'SpotRebalanceRecommendation',
    'RebalanceRecommended',
    'Azure recommends to replace this machine, not before 2026-01-01T00:00:30Z',
  ],
  ['Reboot', 'MaintenanceScheduled', 'Azure restarts this machine, not before 2026-01-01T00:00:30Z'],
  ['Redeploy', 'MaintenanceScheduled', 'Azure moves this machine to another host, not before 2026-01-01T00:00:30Z'],
])('%s is %s', async (type, condition, message) => {
  const { state, watched } = service()
  state.events = [event(type)]
  await watched.during(1)
  expect(watched.said()).toEqual({ [condition]: { reason: type, message } })
  state.events = []
  await watched.during(1_000)
  expect(watched.said()).toEqual({})
})

test.each([
  ['a pause of seconds', event('Freeze')],
  ['a deletion, which may be ours', event('Terminate')],
  ['an event of another machine', event('Preempt', at, ['spot-10', 'spot'])],
  ['an event of no machine', event('Preempt', at, [])],
  ['resources that are no list', event('Preempt', at, 'spot-1')],
  ['an unknown event', event('constructor')],
  ['no object', null],
])('%s is not announced', async (_, one) => {
  const { state, watched } = service()
  state.events = [one]
  await watched.during(1)
  expect(watched.said()).toEqual({})
  expect(watched.log.lines).toEqual([])
})

test('of two the earlier one counts, and one that has begun before both', async () => {
  const { state, watched } = service()
  state.events = [event('Redeploy', 'Fri, 02 Jan 2026 00:00:00 GMT'), event('Reboot')]
  await watched.during(1)
  expect(watched.said()).toMatchObject({ MaintenanceScheduled: { reason: 'Reboot' } })
  state.events = [...state.events, event('Redeploy', '')]
  await watched.during(1_000)
  expect(watched.said()).toEqual({
    MaintenanceScheduled: { reason: 'Redeploy', message: 'Azure moves this machine to another host' },
  })
})

test.each(['', '{}', 'null', '[]', '{"Events":{}}', '<html>'])('garbage %j takes nothing back', async (body) => {
  const { state, watched } = service()
  state.events = [event('Preempt')]
  await watched.during(1)
  watched.answer = () => ({ status: 200, headers: {}, body })
  await watched.during(10_000)
  expect(Object.keys(watched.said())).toEqual(['Terminating'])
})

test.each([
  ['azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/spot-1', 'spot-1'],
  [
    'azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/pool/virtualMachines/3',
    'pool_3',
  ],
  ['azure:///subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachines/spot-1', 'spot-1'],
  ['azure:///subscriptions/s', undefined],
])('%s is called %s', (providerID, name) => {
  expect(azureName(providerID)).toBe(name)
})
