import { isObject } from '../../kit/http/decode-json.ts'
import { SqsError } from './errors.ts'
import type { EventOrigin } from './events.ts'
import { retentionMs, usualVisibilitySeconds, type Queue } from './queue.ts'

type Input = Readonly<Record<string, unknown>>

/** One call of SQS's API. */
export interface SqsAction {
  /** Every field that is simulated, besides the URL of the queue. */
  readonly fields: readonly string[]
  /** Throws SqsError to refuse. */
  answer(input: Input, queue: Queue, origin: EventOrigin): object
}

const mostHidden = 120_000
const mostBytes = 1_048_576
/** What XML allows; SQS refuses all else. */
const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

export const actions: Readonly<Record<string, SqsAction>> = {
  ReceiveMessage: {
    fields: ['MaxNumberOfMessages', 'WaitTimeSeconds', 'VisibilityTimeout', 'MessageSystemAttributeNames'],
    answer(input, queue) {
      const most = numberIn(input, 'MaxNumberOfMessages', { least: 1, most: 10, usual: 1 })
      numberIn(input, 'WaitTimeSeconds', { least: 0, most: 20, usual: 0 })
      const visibility = { least: 0, most: 43_200, usual: usualVisibilitySeconds }
      const hidden = numberIn(input, 'VisibilityTimeout', visibility)
      if (queue.counts.hidden >= mostHidden) throw new SqsError('OverLimit', 'Too many messages are in flight.')
      const Messages = queue.receive(most, hidden, namesIn(input))
      return Messages.length > 0 ? { Messages } : {}
    },
  },
  DeleteMessageBatch: {
    fields: ['Entries'],
    answer({ Entries }, queue) {
      const entries = entriesIn(Entries)
      const isDeleted = entries.map(({ receipt }) => queue.delete(receipt))
      return {
        Successful: entries.filter((_, at) => isDeleted[at]).map(({ Id }) => ({ Id })),
        Failed: entries
          .filter((_, at) => !isDeleted[at])
          .map(({ Id }) => ({
            Id,
            Code: 'ReceiptHandleIsInvalid',
            Message: 'The input receipt handle is invalid.',
            SenderFault: true,
          })),
      }
    },
  },
  SendMessage: {
    fields: ['MessageBody'],
    answer({ MessageBody: body }, queue) {
      if (typeof body !== 'string' || body === '') {
        throw new SqsError('MissingParameter', 'The request must contain the parameter MessageBody.')
      }
      if (Buffer.byteLength(body) > mostBytes) {
        throw new SqsError(
          'InvalidParameterValue',
          `One or more parameters are invalid. Reason: Message must be shorter than ${mostBytes} bytes.`,
        )
      }
      if (!allowed.test(body)) {
        throw new SqsError(
          'InvalidMessageContents',
          'Invalid characters found. Valid unicode characters are #x9 | #xA | …',
        )
      }
      const { id, md5 } = queue.send(body)
      return { MessageId: id, MD5OfMessageBody: md5 }
    },
  },
  GetQueueAttributes: {
    fields: ['AttributeNames'],
    answer({ AttributeNames: names = [] }, queue, origin) {
      const all = attributesOf(queue, origin)
      if (!Array.isArray(names)) throw new SqsError('SerializationException', 'AttributeNames is a list.')
      for (const name of names) {
        if (name !== 'All' && !Object.hasOwn(all, String(name))) {
          throw new SqsError('InvalidAttributeName', `Unknown Attribute ${String(name)}.`)
        }
      }
      const asked = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name))
      return { Attributes: Object.fromEntries(asked) }
    },
  },
}

function attributesOf({ name, counts }: Queue, { account, region }: EventOrigin): Readonly<Record<string, string>> {
  return {
    QueueArn: `arn:aws:sqs:${region}:${account}:${name}`,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.hidden),
    MessageRetentionPeriod: String(retentionMs / 1_000),
    VisibilityTimeout: String(usualVisibilitySeconds),
  }
}

const systemAttributes = new Set([
  'All',
  'SenderId',
  'SentTimestamp',
  'ApproximateReceiveCount',
  'ApproximateFirstReceiveTimestamp',
  'SequenceNumber',
  'MessageDeduplicationId',
  'MessageGroupId',
  'AWSTraceHeader',
  'DeadLetterQueueSourceArn',
])

function namesIn({ MessageSystemAttributeNames: names = [] }: Input): readonly string[] {
  if (!Array.isArray(names)) throw new SqsError('SerializationException', 'MessageSystemAttributeNames is a list.')
  return names.map((name) => {
    if (systemAttributes.has(String(name))) return String(name)
    throw new SqsError('InvalidAttributeName', `Unknown Attribute ${String(name)}.`)
  })
}

function numberIn(input: Input, name: string, { least, most, usual }: { least: number; most: number; usual: number }) {
  const value = input[name] ?? usual
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  const reason = `Reason: Must be between ${least} and ${most}, if provided.`
  throw new SqsError(
    'InvalidParameterValue',
    `Value ${JSON.stringify(value)} for parameter ${name} is invalid. ${reason}`,
  )
}

function entriesIn(given: unknown): readonly { readonly Id: string; readonly receipt: string }[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw new SqsError(
      'EmptyBatchRequest',
      'There should be at least one DeleteMessageBatchRequestEntry in the request.',
    )
  }
  if (given.length > 10) {
    const message = `Maximum number of entries per request are 10. You have sent ${given.length}.`
    throw new SqsError('TooManyEntriesInBatchRequest', message)
  }
  const entries = given.map((entry: unknown) => {
    const { Id, ReceiptHandle } = isObject(entry) ? entry : {}
    if (typeof Id !== 'string' || !/^[\w-]{1,80}$/.test(Id)) {
      throw new SqsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores.',
      )
    }
    if (typeof ReceiptHandle !== 'string') {
      throw new SqsError('MissingParameter', 'The request must contain the parameter ReceiptHandle.')
    }
    return { Id, receipt: ReceiptHandle }
  })
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new SqsError('BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.')
  }
  return entries
}
