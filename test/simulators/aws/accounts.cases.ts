import { DescribeInstancesCommand, DescribeSubnetsCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { getCallerIdentity } from '../../../providers/aws/wire/sts.ts'
import { credentials, ec2Client, startEc2, type Ec2Fixture } from './fixture.ts'
import { signed } from './signed.ts'

const theirs = { accessKeyId: 'AKIAOFTHEOTHERS', secretAccessKey: 'their-secret' }
const question = { Action: 'GetCallerIdentity', Version: '2011-06-15' }
const sts = { ...signed, authorization: signed.authorization.replace('/ec2/', '/sts/') }

function whose({ simulator }: Ec2Fixture, keys: typeof credentials) {
  const { signal } = new AbortController()
  const { url, facts } = simulator
  return getCallerIdentity({ url: new URL(url), region: facts.region, keys, nowMs: Date.UTC(2026, 0, 1), signal })
}

test('STS says whose a key is, and EC2 names the same account in every reservation', async () => {
  await using ec2 = await startEc2({ keys: { [credentials.accessKeyId]: credentials.secretAccessKey } })
  const { OwnerId } = await ec2.launch()
  expect(OwnerId).toMatch(/^\d{12}$/)
  expect(await whose(ec2, credentials)).toBe(OwnerId)
})

test('a wrong secret is nobody’s', async () => {
  await using ec2 = await startEc2({ keys: { [credentials.accessKeyId]: credentials.secretAccessKey } })
  expect(await whose(ec2, { ...credentials, secretAccessKey: 'guessed' })).toBeUndefined()
})

test.each([
  ['signed for EC2', signed, 403, 'InvalidClientTokenId'],
  ['without credentials', {}, 403, 'MissingAuthenticationToken'],
])('STS refuses what is %s, in its own words', async (_, headers, status, code) => {
  await using ec2 = await startEc2()
  const answer = await ec2.raw(question, headers)
  expect(answer.status).toBe(status)
  expect(answer.text).toContain(`<Code>${code}</Code>`)
  expect((await ec2.raw(question, sts)).status).toBe(200)
})

test('a key of another account sees nothing of this one: no instance, no subnet', async () => {
  await using ec2 = await startEc2()
  const { OwnerId } = await ec2.launch()
  const account = ec2.simulator.control.addAccount(theirs.accessKeyId)
  expect(account).not.toBe(OwnerId)
  expect(await whose(ec2, theirs)).toBe(account)
  const client = ec2Client(ec2.simulator, { credentials: theirs })
  expect(await client.send(new DescribeInstancesCommand({}))).toMatchObject({ Reservations: [] })
  const Filters = [{ Name: 'subnet-id', Values: [ec2.simulator.facts.subnet] }]
  expect(await client.send(new DescribeSubnetsCommand({ Filters }))).toMatchObject({ Subnets: [] })
  client.destroy()
  expect(ec2.simulator.control.instances()).toHaveLength(1)
})
