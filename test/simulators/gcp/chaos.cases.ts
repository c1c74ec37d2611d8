import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { ChaosKind } from '../kit/chaos.ts'
import { instancesPath, refusalOf, requestIdOf, startGce } from './fixture.ts'

test.each<[ChaosKind, number]>([
  ['reset-before', 0],
  ['answer-lost', 1],
])('%s: its caller is cut off, and %s was made', async (kind, made) => {
  await using gce = await startGce()
  gce.simulator.control.chaos({ rate: 1, kinds: [kind] })
  await expect(gce.insert()).rejects.toThrow('fetch failed')
  expect(gce.simulator.control.instances()).toHaveLength(made)
})

test.each<[ChaosKind, string[], number]>([
  ['throttle', ['403 rateLimitExceeded'], 0],
  ['server-error', ['500 internalError', '502 backendError', '503 backendError'], 0],
  ['error-after-commit', ['500 internalError', '502 backendError', '503 backendError'], 30],
])("%s: GCE's own words, each of them sometime", async (kind, words, made) => {
  await using gce = await startGce()
  gce.simulator.control.chaos({ rate: 1, kinds: [kind] })
  const refusals = []
  for (let at = 0; at < 30; at++) refusals.push(await refusalOf(gce.insert({ name: `w${at}` }, requestIdOf(at + 1))))
  expect(new Set(refusals.map(({ code, status }) => `${status} ${code}`))).toEqual(new Set(words))
  expect(gce.simulator.control.instances()).toHaveLength(made)
})

test('slow: done, and answered when its caller may have gone', async () => {
  await using gce = await startGce()
  await gce.control('chaos', { rate: 1, kinds: 'slow', slow: '45s' })
  const insert = gce.inserted()
  await until(() => gce.clock.pending === 2, 'the boot and the answer to wait')
  expect(gce.simulator.control.instances()).toHaveLength(1)
  await gce.clock.advance(45_000)
  await insert
})

test('answers take their time', async () => {
  await using gce = await startGce()
  await gce.control('latency', { min: '5s', action: 'instances.list' })
  const list = gce.done('GET', instancesPath)
  await until(() => gce.clock.pending === 1, 'the answer to wait')
  await gce.clock.advance(5000)
  expect(await list).toMatchObject({ kind: 'compute#instanceList' })
})
