import { DescribeInstancesCommand, DescribeRegionsCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { credentials, ec2Client, refusalOf, startEc2 } from './fixture.ts'
import { signed } from './signed.ts'

const describeRegions = { Action: 'DescribeRegions', Version: '2016-11-15' }
const keys = { [credentials.accessKeyId]: credentials.secretAccessKey }

test.each([
  ['without credentials', {}, 403, 'MissingAuthenticationToken'],
  ['with another scheme', { authorization: 'Bearer token' }, 400, 'IncompleteSignature'],
  ['without a date', { authorization: signed.authorization }, 400, 'IncompleteSignature'],
  ['signed on another day', { ...signed, 'x-amz-date': '20260102T000000Z' }, 401, 'AuthFailure'],
  ['signed for another region', scoped('us-west-2/ec2'), 401, 'AuthFailure'],
  ['signed for another service', scoped('us-east-1/s3'), 401, 'AuthFailure'],
])('a request %s is refused', async (_, headers, status, code) => {
  await using ec2 = await startEc2()
  const answer = await ec2.raw(describeRegions, headers)
  expect(answer.status).toBe(status)
  expect(answer.text).toContain(`<Response><Errors><Error><Code>${code}</Code><Message>`)
})

function scoped(scope: string) {
  return { ...signed, authorization: signed.authorization.replace('us-east-1/ec2', scope) }
}

test('while no keys are named any key will do', async () => {
  await using ec2 = await startEc2()
  expect((await ec2.raw(describeRegions)).status).toBe(200)
})

test('the right secret is let in, whatever stands in the request', async () => {
  await using ec2 = await startEc2({ keys })
  await ec2.client.send(new DescribeRegionsCommand({}))
  const Filters = [{ Name: 'tag:Näme', Values: ["a b+c/d=e&f~g*(h)'!"] }]
  await expect(ec2.client.send(new DescribeInstancesCommand({ Filters }))).resolves.toMatchObject({ Reservations: [] })
})

test.each([
  ['an unknown key', { accessKeyId: 'AKIANOBODY', secretAccessKey: credentials.secretAccessKey }],
  ['a wrong secret', { ...credentials, secretAccessKey: 'guessed' }],
])('%s is shut out', async (_, wrong) => {
  await using ec2 = await startEc2({ keys })
  const client = ec2Client(ec2.simulator, { credentials: wrong })
  expect(await refusalOf(client.send(new DescribeRegionsCommand({})))).toEqual({
    code: 'AuthFailure',
    status: 401,
    message: 'AWS was not able to validate the provided access credentials',
  })
  client.destroy()
})

test('a signature does not fit another body', async () => {
  await using ec2 = await startEc2({ keys })
  expect((await ec2.raw(describeRegions)).status).toBe(401)
})

test('keys can be changed while it runs', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.acceptKeys({ OTHER: 'secret' })
  expect(await refusalOf(ec2.client.send(new DescribeRegionsCommand({})))).toMatchObject({ code: 'AuthFailure' })
  ec2.simulator.control.acceptKeys(undefined)
  await ec2.client.send(new DescribeRegionsCommand({}))
})
