import type { Readable } from 'node:stream'
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SQSClient,
  type BatchResultErrorEntry,
  type Message,
} from '@aws-sdk/client-sqs'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import type { Scope } from '../../../api/scope.ts'
import type { CloudSettings } from '../../cloud.ts'
import { inTable } from '../../errors.ts'
import { sendCounted } from '../../wire/call-line.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { toCloudError } from './errors.ts'
import { intoOneBuffer } from './one-buffer.ts'
import { withShortStrings } from './short-strings.ts'

/** The most messages of one call, to receive and to delete. SQS takes no more. */
export const mostAtOnce = 10

/**
 * A longer body comes empty. A notice has less than a kilobyte, one of a thousand instances less than 256 KiB, and with
 * its quotes escaped less than this.
 */
const mostBodyBytes = 524_288

/** A receive waits on the server before the answer comes. */
const mostWaitSeconds = 20

interface Wanted {
  /** At most this many messages, and no more than `mostAtOnce`. */
  readonly most: number
  /** How long SQS waits for the first message. */
  readonly waitSeconds: number
  /** How long a received message is hidden. After that it comes again. */
  readonly hiddenSeconds: number
}

/**
 * One queue of SQS. Endpoint and credentials come from the SDK's own variables, files and roles. The SDK repeats
 * nothing, because two receives at once would hide messages from each other.
 */
export class Sqs {
  readonly #url: string
  readonly #settings: CloudSettings
  readonly #client: SQSClient
  readonly #scope: Scope

  constructor(url: string, settings: CloudSettings) {
    const region = regionIn(url)
    this.#url = url
    this.#settings = settings
    this.#scope = { cloud: 'aws', identity: 'default', region: region ?? '' }
    const requestTimeout = mostWaitSeconds * 1_000 + longestCallMs
    this.#client = new SQSClient({
      ...(region === undefined ? {} : { region }),
      maxAttempts: 1,
      // Otherwise the SDK goes to the host of the URL, even if a variable names an endpoint.
      useQueueUrlAsEndpoint: false,
      // The SDK would refuse a whole batch because of one message. TLS protects the bodies, and each is checked.
      md5: false,
      streamCollector: (answer: Readable) => withShortStrings(answer, mostBodyBytes),
      requestHandler: {
        connectionTimeout: 5_000,
        requestTimeout,
        throwOnRequestTimeout: true,
        httpAgent: intoOneBuffer(),
        httpsAgent: intoOneBuffer(),
      },
    })
  }

  /** The region of the queue. */
  async region(): Promise<string> {
    return this.#client.config.region()
  }

  async receive({ most, waitSeconds, hiddenSeconds }: Wanted, ctx: Ctx): Promise<readonly Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#url,
      MaxNumberOfMessages: most,
      MessageSystemAttributeNames: ['SentTimestamp'],
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: hiddenSeconds,
    })
    const send = (options: { abortSignal: AbortSignal }) => this.#client.send(command, options)
    const { Messages = [] } = await this.#send('ReceiveMessage', { send, waitMs: waitSeconds * 1_000 }, ctx)
    return Messages
  }

  /** Returns what SQS did not delete. Those messages come again. */
  async delete(receipts: readonly string[], ctx: Ctx): Promise<readonly BatchResultErrorEntry[]> {
    const Entries = receipts.map((ReceiptHandle, at) => ({ Id: String(at), ReceiptHandle }))
    const command = new DeleteMessageBatchCommand({ QueueUrl: this.#url, Entries })
    const send = (options: { abortSignal: AbortSignal }) => this.#client.send(command, options)
    const { Failed = [] } = await this.#send('DeleteMessageBatch', { send, waitMs: 0 }, ctx)
    return Failed
  }

  close(): void {
    this.#client.destroy()
  }

  async #send<T>(
    action: string,
    { send, waitMs }: { send: (options: { abortSignal: AbortSignal }) => Promise<T>; waitMs: number },
    ctx: Ctx,
  ): Promise<T> {
    using deadline = new Deadline(waitMs + longestCallMs, () => new Error('SQS gave no answer in time.'), ctx)
    return await sendCounted(
      {
        sent: { scope: this.#scope, action, waitedMs: 0 },
        send: () => send({ abortSignal: deadline.signal }),
        errorOf: toSqsError,
      },
      this.#settings,
      ctx,
    )
  }
}

/** The URL of a queue names its region, unless it is of a private endpoint: then the SDK's variables name it. */
export function regionIn(url: string): string | undefined {
  return /^(?:[a-z0-9-]+\.)*sqs(?:-fips)?\.([a-z]+(?:-[a-z]+)+-\d+)\./.exec(URL.parse(url)?.hostname ?? '')?.[1]
}

/** The codes of SQS that EC2 does not have. */
const kinds: Readonly<Record<string, RefusalKind>> = {
  QueueDoesNotExist: 'missing',
  'AWS.SimpleQueueService.NonExistentQueue': 'missing',
  InvalidAddress: 'missing',
  InvalidSecurity: 'denied',
  KmsAccessDenied: 'denied',
}

function toSqsError(thrown: unknown): CloudError {
  const error = toCloudError(thrown)
  const kind = inTable(kinds, error.code)
  return kind ? new CloudError(kind, { code: error.code, message: error.message }) : error
}
