import { createHash } from 'node:crypto'
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  type ReceiveMessageCommandInput,
} from '@aws-sdk/client-sqs'
import { expect, test } from 'vitest'
import { credentials, refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'
import { signed } from './signed.ts'

const name = 'interruptions'

async function startSqs(options: Parameters<typeof startEc2>[0] = {}) {
  const ec2 = await startEc2(options)
  const { simulator } = ec2
  simulator.control.addQueue(name)
  const QueueUrl = `${simulator.url}/123456789012/${name}`
  const client = sqsClient(ec2)
  return {
    ...ec2,
    QueueUrl,
    sqs: client,
    send: (MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody })),
    receive: async (input: Partial<ReceiveMessageCommandInput> = {}) =>
      (await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...input }))).Messages ?? [],
    remove: (...receipts: (string | undefined)[]) => {
      const Entries = receipts.map((ReceiptHandle, at) => ({ Id: `m${at}`, ReceiptHandle }))
      return client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await ec2[Symbol.asyncDispose]()
    },
  }
}

function sqsClient({ simulator: { url, facts } }: Ec2Fixture, over: object = {}): SQSClient {
  return new SQSClient({ endpoint: url, region: facts.region, credentials, maxAttempts: 1, ...over })
}

test('a message is received with its MD5, hidden, received again after its time, and gone when it is deleted', async () => {
  await using rig = await startSqs()
  const { send, receive, remove, clock, simulator } = rig
  const { MessageId, MD5OfMessageBody } = await send('räume')
  expect(MD5OfMessageBody).toBe(createHash('md5').update('räume').digest('hex'))
  const [first, ...others] = await receive({ VisibilityTimeout: 20 })
  expect(others).toEqual([])
  expect(first).toMatchObject({ MessageId, Body: 'räume', MD5OfBody: MD5OfMessageBody })
  expect(await receive()).toEqual([])
  await clock.advance(19_999)
  expect(await receive()).toEqual([])
  expect(simulator.control.queues()).toEqual([{ name, visible: 0, hidden: 1, handedOut: 1, waiting: 0 }])
  await clock.advance(1)
  const [again] = await receive({ VisibilityTimeout: 20 })
  expect(again).toMatchObject({ MessageId })
  expect(again?.ReceiptHandle).not.toBe(first?.ReceiptHandle)
  expect(await remove(first?.ReceiptHandle), 'an old receipt is accepted').toMatchObject({ Successful: [{ Id: 'm0' }] })
  expect(simulator.control.queues(), 'and deletes nothing').toEqual([
    { name, visible: 0, hidden: 1, handedOut: 2, waiting: 0 },
  ])
  await remove(again?.ReceiptHandle)
  expect(simulator.control.queues()).toEqual([{ name, visible: 0, hidden: 0, handedOut: 2, waiting: 0 }])
})

test('what was received with a receipt is known, also after its deletion', async () => {
  await using rig = await startSqs()
  const { send, receive, remove, simulator } = rig
  await send('a warning')
  const [{ ReceiptHandle = '' } = {}] = await receive()
  await remove(ReceiptHandle)
  expect(simulator.control.queues()).toMatchObject([{ name, visible: 0, hidden: 0 }])
  expect(simulator.control.bodyOf(name, ReceiptHandle)).toBe('a warning')
  expect(simulator.control.bodyOf(name, 'a receipt of no message')).toBeUndefined()
})

test('a message that nobody deletes is gone after its retention', async () => {
  await using rig = await startSqs()
  const { send, receive, clock } = rig
  await send('old')
  await clock.advance(299_999)
  expect(await receive({ VisibilityTimeout: 0 })).toHaveLength(1)
  await clock.advance(1)
  expect(await receive()).toEqual([])
})

test('a long poll is answered when a message comes, or when its time is over', async () => {
  await using rig = await startSqs()
  const { send, receive, clock, simulator } = rig
  const waiting = receive({ WaitTimeSeconds: 20 })
  await expect.poll(() => simulator.requests.length).toBe(1)
  await clock.advance(5_000)
  await send('now')
  expect(await waiting).toMatchObject([{ Body: 'now' }])
  const empty = receive({ WaitTimeSeconds: 20 })
  await expect.poll(() => simulator.requests.length).toBe(3)
  await clock.advance(20_000)
  expect(await empty).toEqual([])
})

test('a caller that left receives nothing', async () => {
  await using rig = await startSqs()
  const { send, receive, simulator, sqs, QueueUrl } = rig
  const leaving = new AbortController()
  const poll = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 })
  const left = sqs.send(poll, { abortSignal: leaving.signal })
  left.catch(() => {})
  await expect.poll(() => simulator.requests.length).toBe(1)
  leaving.abort()
  await expect.poll(() => simulator.requests[0]?.answer).toBeDefined()
  await send('for the next')
  expect(await receive()).toHaveLength(1)
})

test('a message tells when it was sent, and how often it was received, if that is asked for', async () => {
  await using rig = await startSqs()
  const { send, receive, clock } = rig
  const sent = String(clock.now())
  await send('one')
  await clock.advance(5_000)
  const MessageSystemAttributeNames = ['All' as const]
  const [unasked] = await receive({ VisibilityTimeout: 0 })
  expect(unasked).not.toHaveProperty('Attributes')
  expect(await receive({ VisibilityTimeout: 0, MessageSystemAttributeNames })).toMatchObject([
    { Attributes: { SentTimestamp: sent, ApproximateReceiveCount: '2' } },
  ])
  expect(await receive({ MessageSystemAttributeNames: ['SentTimestamp'] })).toMatchObject([
    { Attributes: { SentTimestamp: sent } },
  ])
})

test('attributes', async () => {
  await using rig = await startSqs()
  const { send, sqs, QueueUrl } = rig
  await send('one')
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))
  expect(Attributes).toMatchObject({
    QueueArn: `arn:aws:sqs:us-east-1:123456789012:${name}`,
    ApproximateNumberOfMessages: '1',
    ApproximateNumberOfMessagesNotVisible: '0',
  })
})

test.each<[string, (sqs: Awaited<ReturnType<typeof startSqs>>) => Promise<unknown>, string, number]>([
  ['eleven messages', ({ receive }) => receive({ MaxNumberOfMessages: 11 }), 'InvalidParameterValue', 400],
  ['a poll of 21 s', ({ receive }) => receive({ WaitTimeSeconds: 21 }), 'InvalidParameterValue', 400],
  ['a queue that is not there', (all) => all.receive({ QueueUrl: `${all.QueueUrl}x` }), 'QueueDoesNotExist', 400],
  [
    'a queue of another account',
    (all) => all.receive({ QueueUrl: all.QueueUrl.replace('1234', '4321') }),
    'QueueDoesNotExist',
    400,
  ],
  ['nothing to delete', ({ remove }) => remove(), 'EmptyBatchRequest', 400],
  [
    'eleven to delete',
    ({ remove }) => remove(...Array.from({ length: 11 }, () => 'x')),
    'TooManyEntriesInBatchRequest',
    400,
  ],
  ['a body beyond 1 MiB', ({ send }) => send('x'.repeat(1_048_577)), 'InvalidParameterValue', 400],
  ['a sign that XML does not allow', ({ send }) => send('\u0000'), 'InvalidMessageContents', 400],
  ['an attribute of no message', (all) => all.receive({ AttributeNames: ['All'] }), 'UnsupportedOperation', 400],
])('%s is refused', async (_, call, code, status) => {
  await using sqs = await startSqs()
  expect(await refusalOf(call(sqs))).toMatchObject({ code, status })
})

test('a receipt of no message is refused alone', async () => {
  await using rig = await startSqs()
  const { send, receive, remove } = rig
  await send('one')
  const [message] = await receive()
  expect(await remove('no-receipt', message?.ReceiptHandle)).toMatchObject({
    Successful: [{ Id: 'm1' }],
    Failed: [{ Id: 'm0', Code: 'ReceiptHandleIsInvalid', SenderFault: true }],
  })
})

test('keys are checked, and the service that a signature is for', async () => {
  await using sqs = await startSqs({ keys: { [credentials.accessKeyId]: credentials.secretAccessKey } })
  await sqs.send('signed')
  const stranger = sqsClient(sqs, { credentials: { ...credentials, secretAccessKey: 'guessed' } })
  const { QueueUrl } = sqs
  expect(await refusalOf(stranger.send(new ReceiveMessageCommand({ QueueUrl })))).toMatchObject({
    code: 'UnrecognizedClientException',
    status: 403,
  })
  stranger.destroy()
  const forEc2 = await fetch(sqs.simulator.url, {
    method: 'POST',
    headers: { ...signed, 'x-amz-target': 'AmazonSQS.ReceiveMessage', 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify({ QueueUrl }),
  })
  expect(forEc2.status).toBe(403)
})

test('faults that a test asks for come in the words of SQS', async () => {
  await using rig = await startSqs()
  const { receive, simulator } = rig
  simulator.control.failNext('ReceiveMessage', 1, { code: 'InternalError', message: 'Again.' })
  expect(await refusalOf(receive())).toMatchObject({ code: 'InternalFailure', status: 500 })
  expect(simulator.requests.at(-1)?.answer).toEqual({ status: 500, code: 'InternalFailure' })
  expect(await receive()).toEqual([])
})

test('EventBridge warns of an interruption, and tells each state after pending', async () => {
  await using rig = await startSqs()
  const { receive, simulator, clock } = rig
  const id = await rig.launchRunning()
  simulator.control.notice(id)
  await clock.advance(121_000)
  const events = (await receive()).map(({ Body = '' }) => JSON.parse(Body) as Record<string, unknown>)
  expect(events.map((event) => [event['detail-type'], event['time'], event['detail']])).toEqual([
    ['EC2 Instance State-change Notification', '2026-01-01T00:00:02Z', { 'instance-id': id, state: 'running' }],
    [
      'EC2 Spot Instance Interruption Warning',
      '2026-01-01T00:00:02Z',
      { 'instance-id': id, 'instance-action': 'terminate' },
    ],
    ['EC2 Instance State-change Notification', '2026-01-01T00:02:02Z', { 'instance-id': id, state: 'shutting-down' }],
    ['EC2 Instance State-change Notification', '2026-01-01T00:02:03Z', { 'instance-id': id, state: 'terminated' }],
  ])
  expect(events[0]).toMatchObject({ version: '0', source: 'aws.ec2', account: '123456789012', region: 'us-east-1' })
})
