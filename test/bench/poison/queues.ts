import { randomBytes } from 'node:crypto'
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { Lab } from '../../lab/lab.ts'
import { standardWorld } from '../../simulators/aws/world.ts'
import { inParallel } from '../in-parallel.ts'
import { mostBytes } from './bodies.ts'

/** A queue of SQS that the bench fills. */
export interface PoisonQueue extends AsyncDisposable {
  readonly url: string
  /** Further variables of the manager. */
  readonly environment: NodeJS.ProcessEnv
  /** Returns the time at which each of them was there. */
  send(bodies: readonly string[]): Promise<number[]>
  /** The messages that nobody has deleted. */
  left(): Promise<number>
}

const name = 'interruptions'

/** In the lab's own simulator. All messages are there in one moment. */
export function simulatedQueue({ aws, ctx }: Lab): PoisonQueue {
  const { control } = aws
  control.addQueue(name)
  return {
    url: `${aws.url}/${standardWorld().accountId}/${name}`,
    environment: {},
    send(bodies) {
      // The simulator runs in this process, so nobody receives before all are there.
      for (const body of bodies) control.sendToQueue(name, body)
      const now = ctx.clock.now()
      return Promise.resolve(bodies.map(() => now))
    },
    left() {
      const { visible = 0, hidden = 0 } = control.queues().find((queue) => queue.name === name) ?? {}
      return Promise.resolve(visible + hidden)
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

const senders = 4
const mostInBatch = 10

/** In any other SQS that takes the key of the lab. Sending takes its time there. */
export async function queueAt(endpoint: string, { clouds: [aws], ctx }: Lab): Promise<PoisonQueue> {
  const { AWS_REGION: region = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = aws?.environment ?? {}
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  const sqs = new SQSClient({ region, endpoint, credentials, useQueueUrlAsEndpoint: false })
  const QueueName = `${name}-${randomBytes(3).toString('hex')}`
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName }))
  return {
    url: QueueUrl,
    environment: { AWS_ENDPOINT_URL_SQS: endpoint },
    async send(bodies) {
      const times: number[] = []
      await inParallel(senders, batches(bodies), async (batch) => {
        const Entries = batch.map((at) => ({ Id: String(at), MessageBody: bodies[at] }))
        const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
        if (Failed.length > 0) throw new Error(`${endpoint} did not take a message: ${Failed[0]?.Message}`)
        for (const at of batch) times[at] = ctx.clock.now()
      })
      return times
    },
    async left() {
      const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))
      const { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: hidden } = Attributes
      return Number(visible) + Number(hidden)
    },
    async [Symbol.asyncDispose]() {
      await sqs.send(new DeleteQueueCommand({ QueueUrl }))
      sqs.destroy()
    },
  }
}

/** The places of as many as one call takes: ten, which in sum have no more bytes than one message may have. */
function* batches(bodies: readonly string[]): Generator<number[]> {
  let [batch, bytes]: [number[], number] = [[], 0]
  for (const [at, body] of bodies.entries()) {
    const size = Buffer.byteLength(body)
    if (batch.length === mostInBatch || bytes + size > mostBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(at)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
