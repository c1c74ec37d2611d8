import { expect, test } from 'vitest'
import type { ChaosKind } from '../kit/chaos.ts'
import { refusalOf, startAzure } from './fixture.ts'

test.each<[ChaosKind, object, number]>([
  ['throttle', { code: 'TooManyRequests', statusCode: 429 }, 0],
  ['reset-before', { message: expect.stringMatching(/ECONNRESET/) as string }, 0],
  ['answer-lost', { message: expect.stringMatching(/socket hang up|ECONNRESET/) as string }, 1],
])('%s: what its caller is told, and whether it was done', async (kind, failure, made) => {
  await using azure = await startAzure()
  azure.simulator.control.chaos({ rate: 1, kinds: [kind] })
  await expect(azure.makeInterface('n1')).rejects.toMatchObject(failure)
  expect(azure.simulator.control.remains().interfaces).toHaveLength(made)
})

test.each<[ChaosKind, number]>([
  ['server-error', 0],
  ['error-after-commit', 20],
])("%s: Azure's own faults, each of them sometime", async (kind, made) => {
  await using azure = await startAzure()
  azure.simulator.control.chaos({ rate: 1, kinds: [kind] })
  const refusals = []
  for (let call = 0; call < 20; call++) refusals.push(await refusalOf(azure.makeInterface(`n${call}`)))
  expect(new Set(refusals.map(({ code, status }) => `${status} ${code}`))).toEqual(
    new Set(['500 InternalServerError', '503 ServiceUnavailable', '504 GatewayTimeout']),
  )
  expect(azure.simulator.control.remains().interfaces).toHaveLength(made)
})

test('when the faults are cleared all is well', async () => {
  await using azure = await startAzure()
  await azure.control('chaos', { rate: 1, kinds: 'server-error', seed: 9 })
  await refusalOf(azure.makeInterface('n1'))
  await azure.control('clear-faults', {})
  await azure.launch('m1')
  expect(azure.simulator.control.instances()).toMatchObject([{ name: 'm1' }])
})
