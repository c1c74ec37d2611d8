import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { ChaosKind } from '../kit/chaos.ts'
import { refusalOf, startIbm, type IbmFixture } from './fixture.ts'

/** With a token already, so that what is said of calls is said of these. */
async function startCalm(): Promise<IbmFixture> {
  const ibm = await startIbm()
  await ibm.client.list('vpcs')
  ibm.simulator.control.resetCounts()
  return ibm
}

test.each<[ChaosKind, object, number]>([
  ['throttle', { status: 429, result: { errors: [{ code: 'rate_limit_exceeded' }] } }, 0],
  ['reset-before', { statusText: 'ECONNRESET' }, 0],
  ['answer-lost', { statusText: 'ECONNRESET' }, 1],
])('%s: what its caller is told, and whether it was done', async (kind, failure, launched) => {
  await using ibm = await startCalm()
  ibm.simulator.control.chaos({ rate: 1, kinds: [kind] })
  await expect(ibm.launch()).rejects.toMatchObject(failure)
  expect(ibm.simulator.control.instances()).toHaveLength(launched)
})

test.each<[ChaosKind, number]>([
  ['server-error', 0],
  ['error-after-commit', 20],
])("%s: IBM's own faults, each of them sometime", async (kind, launched) => {
  await using ibm = await startCalm()
  ibm.simulator.control.chaos({ rate: 1, kinds: [kind] })
  const refusals = []
  for (let call = 0; call < 20; call++) refusals.push(await refusalOf(ibm.launch()))
  expect(new Set(refusals.map(({ code, status }) => `${status} ${code}`))).toEqual(
    new Set(['500 internal_error', '500 internal_server_error', '503 backend_service_unavailable']),
  )
  expect(ibm.simulator.control.instances()).toHaveLength(launched)
})

test('slow: done, and answered when its caller may have gone', async () => {
  await using ibm = await startCalm()
  await ibm.control('chaos', { rate: 1, kinds: 'slow', slow: '45s' })
  const launch = ibm.launch()
  await until(() => ibm.clock.pending === 2, 'the boot and the answer to wait')
  expect(ibm.simulator.control.instances()).toHaveLength(1)
  await ibm.clock.advance(45_000)
  await launch
})

test('an answer takes its time on its way; what it tells of is done already', async () => {
  await using ibm = await startCalm()
  await ibm.control('latency', { min: '200ms', action: 'create_instance' })
  let isAnswered = false
  const launch = ibm.launch().then(() => (isAnswered = true))
  await until(() => ibm.clock.pending === 2, 'the boot and the answer to wait')
  expect(ibm.simulator.control.instances()).toHaveLength(1)
  await ibm.clock.advance(199)
  await ibm.client.list('vpcs')
  expect(isAnswered).toBe(false)
  await ibm.clock.advance(1)
  await launch
})

test('calls are counted by action and by code, refused and lost ones too', async () => {
  await using ibm = await startCalm()
  const { control } = ibm.simulator
  await ibm.launch({ name: 'one' })
  await refusalOf(ibm.launch({ name: 'one' }))
  control.answerLostAfterCommit('create_instance')
  await expect(ibm.launch()).rejects.toThrow()
  await ibm.client.list('instances')
  expect(control.counts()).toEqual({
    since: ibm.clock.now(),
    calls: 4,
    lost: 1,
    codes: { OK: 3, validation_unique_failed: 1 },
    actions: {
      create_instance: { calls: 3, lost: 1, codes: { OK: 2, validation_unique_failed: 1 } },
      list_instances: { calls: 1, lost: 0, codes: { OK: 1 } },
    },
  })
})
