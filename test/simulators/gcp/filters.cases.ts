import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namesIn, onDemand, refusalOf, startGce, zone, type GceFixture } from './fixture.ts'

describe('a filter', () => {
  let gce: GceFixture
  let firstId = ''
  beforeAll(async () => {
    gce = await startGce()
    firstId = (await gce.inserted({ name: 'a', labels: { owner: 'one', role: 'node' } })).targetId ?? ''
    await gce.clock.advance(60_000)
    await gce.inserted({ name: 'b', labels: { owner: 'two' }, ...onDemand })
    await gce.inserted({ name: 'bc', labels: { owner: 'one-more' } })
  })
  afterAll(() => gce[Symbol.asyncDispose]())

  const found = async (filter: string) =>
    namesIn(await gce.done('GET', 'aggregated/instances', { query: { filter: filter.replace('FIRST', firstId) } }))

  test.each<[string, string[]]>([
    ['name=a', ['a']],
    ['name = "a"', ['a']],
    ["name='a'", ['a']],
    ['name=A', []],
    ['name:b*', ['b', 'bc']],
    ['name eq "b.*"', ['b', 'bc']],
    ['name eq b', ['b']],
    ['name ne b', ['a', 'bc']],
    ['id=FIRST', ['a']],
    ['id != FIRST', ['b', 'bc']],
    ['labels.owner=one', ['a']],
    ['labels.owner:*', ['a', 'b', 'bc']],
    ['labels.role:*', ['a']],
    ['labels.role=node', ['a']],
    ['labels.role!=node', ['b', 'bc']],
    ['labels.owner:one', ['a', 'bc']],
    ['status=RUNNING', ['a']],
    ['status != RUNNING', ['b', 'bc']],
    ['scheduling.provisioningModel=SPOT', ['a', 'bc']],
    ['scheduling.preemptible=false', ['b']],
    ['(labels.owner=one) (status=RUNNING)', ['a']],
    ['labels.owner=one AND status=RUNNING', ['a']],
    ['labels.owner=one OR labels.owner=two', ['a', 'b']],
    ['(name=a OR name=b) AND scheduling.provisioningModel=SPOT', ['a']],
    ['NOT name=a', ['b', 'bc']],
    ['creationTimestamp > "2026-01-01T00:00:30Z"', ['b', 'bc']],
    ['creationTimestamp<="2025-12-31T16:00:00-08:00"', ['a']],
    [`zone="https://www.googleapis.com/compute/v1/projects/spot-simulated/zones/${zone}"`, ['a', 'b', 'bc']],
    ['zone:us-east1', []],
    ['', ['a', 'b', 'bc']],
  ])('%s', async (filter, names) => {
    expect(await found(filter)).toEqual(names)
  })

  // The last one: a colon is an operator, so that times have to stand in quotes.
  test.each([
    'creationTimestamp<=2025-12-31T16:00:00-08:00',
    'nme=a',
    'name',
    'name=',
    '=a',
    '(name=a',
    'name=a)',
    'tags=node',
    'labels=a',
    'name eq (',
    'name==a',
    'name eq "a.*" labels.owner:*',
    '(name ne b) AND (status=RUNNING)',
  ])('%s is refused', async (filter) => {
    expect(await refusalOf(gce.call('GET', 'aggregated/instances', { query: { filter } }))).toEqual({
      code: 'invalid',
      status: 400,
      message: `Invalid value for field 'filter': '${filter}'. Invalid list filter expression.`,
    })
  })
})
