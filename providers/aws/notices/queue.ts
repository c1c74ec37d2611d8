import type { Message } from '@aws-sdk/client-sqs'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'
import type { Delivery, NoticeTaker, ReceivedNotices, Refused } from '../../notices.ts'
import { mostAtOnce, regionIn, Sqs } from '../wire/sqs.ts'
import type { CloudSettings } from '../../cloud.ts'
import { growingPauseMs } from '../../wire/growing-pause.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { readEvent, type EventReading } from './event-bridge.ts'

/** How long a message is ours. The notice is written in a second, so another process gets it soon if this one ends. */
const hiddenSeconds = 30
const longPollSeconds = 20
/** Further receivers do not wait: they are there for what has come already. */
const noWait = 0
const mostReceivers = 8
/** Not quite a whole batch: SQS answers from some of its servers. */
const manyMessages = 5
/**
 * An answer is in memory several times while it is read, and notices have less than a kilobyte. After an answer with
 * more characters than this the next receive asks for one message.
 */
const mostCharacters = 262_144
/** The most messages that wait for their decision. They have no body any more. */
const mostWaiting = 20_000

const pauses = { firstMs: 1_000, mostMs: 10_000 }
/** A person has to make the queue, or to allow us to read it. */
const slowPauseMs = 60_000

/** The account of our credentials; undefined where it is not known. */
type OwnAccount = (region: string, ctx: Ctx) => Promise<string | undefined>

/** Receives the notices that EventBridge sends to this queue. */
export function noticeQueue(url: string, ownAccount: OwnAccount, settings: CloudSettings): ReceivedNotices {
  return {
    region: regionIn(url),
    async receive(taker, ctx) {
      const sqs = new Sqs(url, settings)
      try {
        await new Receiver({ url, sqs, taker, ownAccount }, ctx).run()
      } finally {
        sqs.close()
      }
    },
  }
}

interface ReceiverOptions {
  readonly url: string
  readonly sqs: Pick<Sqs, 'receive' | 'delete' | 'region'>
  readonly taker: NoticeTaker
  readonly ownAccount: OwnAccount
}

/** A message without its body. */
interface Read {
  readonly receipt: string | undefined
  readonly reading: EventReading
}

/** One receiver polls all the time. Others join it while many messages come, and leave when none come. */
export class Receiver {
  readonly #options: ReceiverOptions
  readonly #ctx: Ctx
  readonly #acknowledgements: Acknowledgements
  readonly #helpers = new Set<Promise<void>>()
  #failures = 0
  /** The most messages of the next receive. */
  #most = mostAtOnce
  #waiting = 0
  #nextSettled = Promise.withResolvers<void>()

  constructor(options: ReceiverOptions, ctx: Ctx) {
    this.#options = options
    this.#ctx = ctx
    this.#acknowledgements = new Acknowledgements(options.sqs, ctx)
  }

  /** Receives until the signal fires. */
  async run(): Promise<void> {
    const { signal, clock } = this.#ctx
    while (!signal.aborted) {
      const pauseMs = await this.#receive(longPollSeconds).then(
        () => 0,
        (thrown: unknown) => this.#failed(thrown),
      )
      if (pauseMs > 0) await clock.sleep(pauseMs, signal).catch(() => {})
    }
    await Promise.all(this.#helpers)
    await this.#acknowledgements.settled()
  }

  /** Receives until nothing is left or a call fails. */
  async #help(): Promise<void> {
    try {
      while (!this.#ctx.signal.aborted && (await this.#receive(noWait)) > 0);
    } catch (thrown) {
      // The first receiver meets the same failure, and pauses.
      if (!(thrown instanceof CloudError)) throw thrown
    }
  }

  /** Returns the number of messages. */
  async #receive(waitSeconds: number): Promise<number> {
    const { sqs, taker } = this.#options
    await this.#room()
    const messages = await sqs.receive({ most: this.#most, waitSeconds, hiddenSeconds }, this.#ctx)
    this.#failures = 0
    taker.answers(undefined)
    const characters = messages.reduce((sum, { Body = '' }) => sum + Body.length, 0)
    const isLarge = characters > mostCharacters
    this.#most = isLarge ? 1 : Math.min(2 * this.#most, mostAtOnce)
    if (messages.length >= manyMessages && !isLarge) this.#grow()
    for (const { Attributes } of messages) this.#tellAge(Attributes?.SentTimestamp)
    // Bodies may be large and decisions may take long, so no body outlives this call.
    void this.#handleAll(messages.map((message) => this.#read(message)))
    return messages.length
  }

  /** In milliseconds since the epoch, by the clock of SQS. */
  #tellAge(sentAt: string | undefined): void {
    const ms = this.#ctx.clock.now() - Number(sentAt ?? Number.NaN)
    if (Number.isFinite(ms)) this.#options.taker.aged(Math.max(0, ms) / 1_000)
  }

  #read({ Body = '', ReceiptHandle: receipt }: Message): Read {
    return { receipt, reading: readEvent(Body, this.#ctx.clock.now()) }
  }

  /** After their visibility timeout these messages are not ours any more. */
  async #handleAll(messages: readonly Read[]): Promise<void> {
    const late = () => new Error('The message was not decided in time.')
    using deadline = new Deadline(hiddenSeconds * 1_000, late, this.#ctx)
    const ctx = { ...this.#ctx, signal: deadline.signal }
    await Promise.all(messages.map((message) => this.#handle(message, ctx)))
  }

  #grow(): void {
    if (this.#helpers.size >= mostReceivers - 1) return
    const helper = this.#help().finally(() => this.#helpers.delete(helper))
    this.#helpers.add(helper)
  }

  async #room(): Promise<void> {
    while (this.#waiting >= mostWaiting) await unlessAborted(this.#nextSettled.promise, this.#ctx.signal)
  }

  async #handle({ receipt, reading }: Read, ctx: Ctx): Promise<void> {
    this.#waiting += 1
    try {
      const { taker } = this.#options
      const judged = await this.#judge(reading)
      if (typeof judged === 'string') taker.refused(judged)
      else await unlessAborted(taker.take(judged, ctx), ctx.signal)
      if (receipt !== undefined) this.#acknowledgements.add(receipt)
    } catch (error) {
      if (!this.#ctx.signal.aborted) this.#ctx.log.debug('A message is not acknowledged', { error })
    } finally {
      this.#waiting -= 1
      this.#nextSettled.resolve()
      this.#nextSettled = Promise.withResolvers()
    }
  }

  async #judge(reading: EventReading): Promise<Delivery | Refused> {
    if (reading.is !== 'event') return reading.is
    const { account, region, notices, changed } = reading
    const own = await this.#options.ownAccount(await this.#options.sqs.region(), this.#ctx)
    if (own !== undefined && own !== account) return 'foreign'
    return { scope: { cloud: 'aws', identity: 'default', account, region }, notices, changed }
  }

  /** Returns the pause. */
  #failed(thrown: unknown): number {
    if (this.#ctx.signal.aborted) return 0
    if (!(thrown instanceof CloudError)) throw thrown
    const isSlow = thrown.kind === 'missing' || thrown.kind === 'denied'
    const pauseMs = isSlow ? slowPauseMs : growingPauseMs(this.#failures + 1, pauses)
    if (this.#failures === 0) {
      const { url: queue } = this.#options
      this.#ctx.log.warn('The queue of notices does not answer', { queue, error: thrown })
    }
    this.#failures += 1
    this.#options.taker.answers(inWords(thrown))
    return pauseMs
  }
}

function inWords({ kind, code, message }: CloudError): string {
  if (kind === 'missing') return `The queue does not exist, or its URL names another account: ${code}.`
  if (kind === 'denied') return `The manager may not receive from the queue: ${code}: ${message}`
  return `The queue does not answer: ${code}: ${message}`
}
