import { createHash, randomUUID } from 'node:crypto'
import type { Clock } from '../../../../api/ctx.ts'

interface Message {
  readonly id: string
  readonly body: string
  readonly md5: string
  readonly sentAt: number
  /** Hidden until then. */
  visibleAt: number
  /** Of the last receive; only this one deletes. */
  receipt: string | undefined
  receives: number
}

export interface Received {
  readonly MessageId: string
  readonly ReceiptHandle: string
  readonly MD5OfBody: string
  readonly Body: string
  readonly Attributes?: Readonly<Record<string, string>>
}

export interface QueueCounts {
  readonly visible: number
  readonly hidden: number
  /** How often a message was received. */
  readonly handedOut: number
  /** Receives that wait for a message. */
  readonly waiting: number
}

/** How long a message that nobody deletes is kept: as `config/aws` asks for it. */
export const retentionMs = 300_000
export const usualVisibilitySeconds = 30
/** More than a few receivers have in their hands. */
const keptBodies = 100

/** A standard queue of SQS: a message may be received again when its visibility timeout has run out. */
export class Queue {
  readonly name: string
  readonly #clock: Clock
  readonly #messages = new Map<string, Message>()
  /** By receipt: old ones are accepted and delete nothing. */
  readonly #receipts = new Map<string, string>()
  /** By receipt: what was received last. A body may have a megabyte, so there are not many. */
  readonly #bodies = new Map<string, string>()
  readonly #arrivals = new Set<() => void>()
  #handedOut = 0

  constructor(name: string, clock: Clock) {
    this.name = name
    this.#clock = clock
  }

  send(body: string): { id: string; md5: string } {
    const message: Message = {
      id: randomUUID(),
      body,
      md5: md5Of(body),
      sentAt: this.#clock.now(),
      visibleAt: 0,
      receipt: undefined,
      receives: 0,
    }
    this.#messages.set(message.id, message)
    for (const arrived of this.#arrivals) arrived()
    return message
  }

  /** `attributes`: those that are asked for. */
  receive(most: number, hiddenSeconds: number, attributes: readonly string[] = []): Received[] {
    const visible = this.#visible().take(most).toArray()
    return visible.map((message) => {
      const receipt = Buffer.from(`${message.id} ${randomUUID()}`).toString('base64')
      message.visibleAt = this.#clock.now() + hiddenSeconds * 1_000
      message.receipt = receipt
      message.receives += 1
      this.#handedOut += 1
      this.#receipts.set(receipt, message.id)
      this.#note(receipt, message.body)
      const all = { SentTimestamp: String(message.sentAt), ApproximateReceiveCount: String(message.receives) }
      const asked = Object.entries(all).filter(([name]) => attributes.includes('All') || attributes.includes(name))
      return {
        MessageId: message.id,
        ReceiptHandle: receipt,
        MD5OfBody: message.md5,
        Body: message.body,
        ...(asked.length > 0 ? { Attributes: Object.fromEntries(asked) } : {}),
      }
    })
  }

  /** False: that is no receipt of this queue. A receipt of an earlier receive is accepted, and deletes nothing. */
  delete(receipt: string): boolean {
    const id = this.#receipts.get(receipt)
    if (id === undefined) return false
    if (this.#messages.get(id)?.receipt === receipt) this.#messages.delete(id)
    return true
  }

  /** Of one of the messages received last, also after its deletion. */
  bodyOf(receipt: string): string | undefined {
    return this.#bodies.get(receipt)
  }

  /** Resolves when a message is visible, when the time is over, or when the signal fires. */
  async arrival(waitMs: number, signal: AbortSignal): Promise<void> {
    const over = this.#clock.now() + waitMs
    while (!signal.aborted && this.#isEmpty() && this.#clock.now() < over) {
      const next = this.#messages.values().reduce((first, { visibleAt }) => Math.min(first, visibleAt), over)
      await this.#nextArrival(next - this.#clock.now(), signal)
    }
  }

  get counts(): QueueCounts {
    this.#expire()
    const visible = this.#visible().toArray().length
    return { visible, hidden: this.#messages.size - visible, handedOut: this.#handedOut, waiting: this.#arrivals.size }
  }

  #note(receipt: string, body: string): void {
    this.#bodies.set(receipt, body)
    if (this.#bodies.size > keptBodies) this.#bodies.delete(this.#bodies.keys().next().value ?? '')
  }

  #nextArrival(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#arrivals.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const cancel = this.#clock.after(Math.max(1, ms), end)
      this.#arrivals.add(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }

  #isEmpty(): boolean {
    this.#expire()
    return this.#visible().next().done === true
  }

  #visible() {
    const now = this.#clock.now()
    return this.#messages.values().filter(({ visibleAt }) => visibleAt <= now)
  }

  #expire(): void {
    const before = this.#clock.now() - retentionMs
    // The oldest stand first.
    for (const { id, sentAt } of this.#messages.values()) {
      if (sentAt > before) return
      this.#messages.delete(id)
    }
  }
}

export function md5Of(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
