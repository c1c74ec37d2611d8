import { verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Account } from '../account.ts'
import type { QueueCounts } from '../queue/queue.ts'

interface QueueView extends QueueCounts {
  readonly name: string
}

/** Queues of SQS, which nobody makes by the API here. */
export interface QueueControl {
  /** From now on EventBridge sends every event of EC2 to this queue, too. Its URL has the path `/<account>/<name>`. */
  addQueue(name: string): void
  deleteQueue(name: string): void
  /** Somebody sends this body. */
  sendToQueue(name: string, body: string): void
  queues(): readonly QueueView[]
  /** The body that was received from this queue with this receipt. */
  bodyOf(name: string, receipt: string): string | undefined
}

export function queueControl({ queues }: Account): QueueControl {
  return {
    addQueue: (name) => queues.add(name),
    deleteQueue: (name) => queues.remove(name),
    sendToQueue: (name, body) => void queues.named(name).send(body),
    queues: () => queues.all.map(({ name, counts }) => ({ name, ...counts })),
    bodyOf: (name, receipt) => queues.named(name).bodyOf(receipt),
  }
}

/** The same over HTTP. */
export function queueVerbs(control: QueueControl): readonly Verb[] {
  const calls = verbsOf(control)
  return [
    calls('addQueue', 'a queue to which EventBridge sends the events of EC2', ['name', 'text']),
    calls('deleteQueue', 'the queue is gone, with its messages', ['name', 'text']),
    calls('sendToQueue', 'somebody sends a message with this body', ['name', 'text'], ['body', 'text']),
  ]
}
