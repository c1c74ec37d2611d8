import { expect, test } from 'vitest'
import { instancesPath, namesIn, refusalOf, startGce, type GceFixture, type Message } from './fixture.ts'

async function states(gce: GceFixture): Promise<(string | undefined)[]> {
  const { items = [] } = await gce.done('GET', instancesPath)
  return (items as Message[]).map(({ status }) => status)
}

const all = async (gce: GceFixture) => namesIn(await gce.done('GET', 'aggregated/instances'))

test('an inserted instance is seen late: in no list, and under no name', async () => {
  await using gce = await startGce()
  gce.simulator.control.invisible({ create: 3000 })
  const { targetId } = await gce.inserted()
  await gce.clock.advance(2999)
  expect([await states(gce), await all(gce), await gce.look('worker'), await gce.look(targetId ?? '')]).toEqual([
    [],
    [],
    undefined,
    undefined,
  ])
  await gce.clock.advance(1)
  expect([await states(gce), await all(gce), (await gce.look('worker'))?.id]).toEqual([
    ['RUNNING'],
    ['worker'],
    targetId,
  ])
})

test('its name is taken all the same, and its operation is known', async () => {
  await using gce = await startGce()
  gce.simulator.control.invisible(60_000)
  const { name } = await gce.inserted()
  expect(await refusalOf(gce.insert())).toMatchObject({ code: 'alreadyExists' })
  expect((await gce.operation(name)).status).toBe('RUNNING')
})

test('an end is seen late, state by state; an insert is not', async () => {
  await using gce = await startGce({ shutdownMs: 1000 })
  gce.simulator.control.invisible({ delete: 5000 })
  await gce.inserted()
  expect(await states(gce)).toEqual(['PROVISIONING'])
  await gce.clock.advance(10_000)
  await gce.done('DELETE', `${instancesPath}/worker`)
  const seen: unknown[] = []
  for (const wait of [0, 4999, 1, 999, 1]) {
    await gce.clock.advance(wait)
    seen.push([...(await states(gce)), (await gce.look('worker'))?.status])
  }
  expect(seen).toEqual([
    ['RUNNING', 'RUNNING'],
    ['RUNNING', 'RUNNING'],
    ['STOPPING', 'STOPPING'],
    ['STOPPING', 'STOPPING'],
    [undefined],
  ])
})

test('an instance that no list shows yet can be deleted, unless calls that change something are late as well', async () => {
  await using gce = await startGce()
  gce.simulator.control.invisible({ create: 3000 })
  await gce.inserted({ name: 'first' })
  await gce.done('DELETE', `${instancesPath}/first`)
  await gce.control('invisible', { create: '3s', writes: true })
  await gce.inserted({ name: 'second' })
  expect(await refusalOf(gce.call('DELETE', `${instancesPath}/second`))).toMatchObject({ code: 'notFound' })
  await gce.clock.advance(3000)
  await gce.done('DELETE', `${instancesPath}/second`)
})

/** What is seen of one instance in the quarter of a minute after its insert, by two lists a second. */
async function sightings(seed: number): Promise<(string | undefined)[]> {
  await using gce = await startGce({ lag: { minMs: 0, maxMs: 10_000, seed } })
  await gce.inserted()
  const seen: (string | undefined)[] = []
  for (let list = 0; list < 30; list++) {
    const [state = 'nothing'] = await states(gce)
    seen.push(state)
    await gce.clock.advance(500)
  }
  return seen
}

test('with a lag each list shows a past moment of its own, the same ones for the same seed; a get does not', async () => {
  const [first, again, other] = [await sightings(7), await sightings(7), await sightings(8)]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  // What was seen is not seen for sure in the next list.
  const firstSeen = first.findIndex((state) => state !== 'nothing')
  expect(first.slice(firstSeen)).toContain('nothing')
  // Two seconds to boot and ten of lag: from then on every list is right.
  expect(new Set(first.slice(24))).toEqual(new Set(['RUNNING']))
  await using gce = await startGce({ lag: { minMs: 60_000, maxMs: 60_000 } })
  await gce.inserted()
  expect([await all(gce), (await gce.look('worker'))?.status]).toEqual([[], 'PROVISIONING'])
})

test('what is gone is still in a list that is late', async () => {
  await using gce = await startGce()
  await gce.inserted()
  await gce.clock.advance(10_000)
  await gce.control('lag', { min: '5s' })
  gce.simulator.control.vanish('worker')
  await gce.clock.advance(4999)
  expect(await all(gce)).toEqual(['worker'])
  await gce.clock.advance(1)
  expect(await all(gce)).toEqual([])
})
