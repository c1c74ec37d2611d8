import { expect, test } from 'vitest'
import { startEc2 } from './fixture.ts'
import { signed } from './signed.ts'

const Version = '2016-11-15'

test.each([
  ['an action that EC2 has not', { Action: 'RunInstance', Version }, 'InvalidAction'],
  ['no action', { Version }, 'MissingAction'],
  ['no version', { Action: 'DescribeInstances' }, 'MissingParameter'],
  ['another version', { Action: 'DescribeInstances', Version: '2014-10-01' }, 'NoSuchVersion'],
  ['a list without numbers', { Action: 'DescribeInstances', Version, InstanceId: 'i-0' }, 'UnknownParameter'],
  ['a list that counts from 0', { Action: 'DescribeInstances', Version, 'InstanceId.0': 'i-0' }, 'UnknownParameter'],
  ['a text with parts', { Action: 'DescribeInstances', Version, 'NextToken.1': 'x' }, 'UnknownParameter'],
  ['a number that is none', { Action: 'DescribeInstances', Version, MaxResults: '1e2' }, 'InvalidParameterValue'],
  ['a truth that is none', { Action: 'DescribeInstances', Version, DryRun: 'yes' }, 'InvalidParameterValue'],
])('%s is refused', async (_, parameters, code) => {
  await using ec2 = await startEc2()
  const answer = await ec2.raw(parameters)
  expect(answer.status).toBe(400)
  expect(answer.text).toMatch(
    new RegExp(
      '^<\\?xml version="1.0" encoding="UTF-8"\\?>\\n<Response><Errors><Error>' +
        `<Code>${code}</Code><Message>[^<]+</Message></Error></Errors><RequestID>[0-9a-f-]{36}</RequestID></Response>\\n$`,
    ),
  )
})

test('a parameter that comes twice is refused', async () => {
  await using ec2 = await startEc2()
  const answer = await fetch(ec2.simulator.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...signed },
    body: 'Action=DescribeInstances&Version=2016-11-15&MaxResults=5&MaxResults=6',
  })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('<Code>MalformedQueryString</Code>')
})

test('a GET with a query string is a call as well', async () => {
  await using ec2 = await startEc2()
  const answer = await fetch(`${ec2.simulator.url}/?Action=DescribeRegions&Version=2016-11-15`, { headers: signed })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain(
    '<DescribeRegionsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>',
  )
})

test('what stands in tags comes back as it was, XML or not', async () => {
  await using ec2 = await startEc2()
  const Tags = [{ Key: `<k> & "q"`, Value: `line\none ]]> 'two' ünïcode 🦊` }]
  const id = await ec2.launchOne({ TagSpecifications: [{ ResourceType: 'instance', Tags }] })
  expect((await ec2.look(id)).Tags).toEqual(Tags)
})
