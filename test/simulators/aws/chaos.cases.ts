import { DescribeRegionsCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { ChaosKind } from '../kit/chaos.ts'
import { refusalOf, startEc2 } from './fixture.ts'

test.each<[ChaosKind, object, number]>([
  ['throttle', { name: 'RequestLimitExceeded', $metadata: { httpStatusCode: 503 } }, 0],
  ['reset-before', { code: 'ECONNRESET' }, 0],
  ['answer-lost', { message: expect.stringMatching(/socket hang up|ECONNRESET/) as string }, 1],
])('%s: what its caller is told, and whether it was done', async (kind, failure, launched) => {
  await using ec2 = await startEc2()
  ec2.simulator.control.chaos({ rate: 1, kinds: [kind] })
  await expect(ec2.launch()).rejects.toMatchObject(failure)
  expect(ec2.simulator.control.instances()).toHaveLength(launched)
})

test.each<[ChaosKind, number]>([
  ['server-error', 0],
  ['error-after-commit', 20],
])("%s: EC2's own faults, each of them sometime", async (kind, launched) => {
  await using ec2 = await startEc2()
  ec2.simulator.control.chaos({ rate: 1, kinds: [kind] })
  const refusals = []
  for (let call = 0; call < 20; call++) refusals.push(await refusalOf(ec2.launch()))
  expect(new Set(refusals.map(({ code, status }) => `${status} ${code}`))).toEqual(
    new Set(['500 InternalError', '503 ServiceUnavailable', '503 Unavailable']),
  )
  expect(ec2.simulator.control.instances()).toHaveLength(launched)
})

test('slow: done, and answered when its caller may have gone', async () => {
  await using ec2 = await startEc2()
  await ec2.control('chaos', { rate: 1, kinds: 'slow', slow: '45s' })
  const launch = ec2.launch()
  await until(() => ec2.clock.pending === 2, 'the boot and the answer to wait')
  expect(ec2.simulator.control.instances()).toHaveLength(1)
  await ec2.clock.advance(45_000)
  await launch
})

/** What becomes of 24 calls, one after another. */
async function fates(seed: number): Promise<string[]> {
  await using ec2 = await startEc2()
  ec2.simulator.control.chaos({ rate: 0.5, seed, kinds: ['throttle', 'server-error', 'reset-before', 'answer-lost'] })
  const seen: string[] = []
  for (let call = 0; call < 24; call++) {
    const fate = ec2.client.send(new DescribeRegionsCommand({})).then(
      () => 'OK',
      ({ name, message }: Error) => `${name} ${message}`,
    )
    seen.push(await fate)
  }
  return seen
}

test('the same seed brings the same troubles over the wire, another seed others', async () => {
  const [first, again, other] = [await fates(1), await fates(1), await fates(2)]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(first).toContain('OK')
  expect(new Set(first).size).toBeGreaterThan(3)
})

test('calls are recorded whatever hits them, and when the faults are cleared all is well', async () => {
  await using ec2 = await startEc2()
  await ec2.control('chaos', { rate: 1, kinds: 'reset-before', seed: 9 })
  await expect(ec2.launch()).rejects.toThrow('ECONNRESET')
  await ec2.control('clear-faults', {})
  await ec2.launch()
  expect(ec2.simulator.control.counts()).toMatchObject({ calls: 2, codes: { OK: 1 } })
  expect(ec2.simulator.requests.map(({ answer }) => answer)).toEqual([undefined, { status: 200 }])
})
