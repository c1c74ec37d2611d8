import type { Clock } from '../../../../api/ctx.ts'
import { ControlError } from '../../kit/control/verb.ts'
import type { Instance } from '../instances/instance.ts'
import type { World } from '../world.ts'
import { spotWarning, stateChange, type EventOrigin } from './events.ts'
import { Queue } from './queue.ts'

/**
 * The queues of an account. To each of them the rules of EventBridge send the events of EC2: its warnings, and the
 * states of instances after `pending`.
 */
export class Queues {
  readonly #origin: EventOrigin
  readonly #clock: Clock
  readonly #queues = new Map<string, Queue>()
  readonly #states = new WeakMap<Instance, string>()

  constructor({ accountId, region }: World, clock: Clock) {
    this.#origin = { account: accountId, region }
    this.#clock = clock
  }

  get origin(): EventOrigin {
    return this.#origin
  }

  get all(): readonly Queue[] {
    return [...this.#queues.values()]
  }

  add(name: string): void {
    this.#queues.set(name, new Queue(name, this.#clock))
  }

  remove(name: string): void {
    if (!this.#queues.delete(name)) throw noQueue(name)
  }

  named(name: string): Queue {
    const queue = this.#queues.get(name)
    if (!queue) throw noQueue(name)
    return queue
  }

  /** By the path of its URL. */
  at(url: string): Queue | undefined {
    const [, account, name = ''] = /^\/(\d{12})\/([\w-]+)$/.exec(URL.parse(url)?.pathname ?? '') ?? []
    return account === this.#origin.account ? this.#queues.get(name) : undefined
  }

  /** EC2 takes this instance back. */
  warn(instance: Instance): void {
    this.#publish(() => spotWarning(instance.id, this.#clock.now(), this.#origin))
  }

  changed(instance: Instance): void {
    const { state } = instance
    if (this.#states.get(instance) === state) return
    this.#states.set(instance, state)
    this.#publish(() => stateChange(instance.id, { state, at: this.#clock.now() }, this.#origin))
  }

  #publish(event: () => object): void {
    if (this.#queues.size === 0) return
    const body = JSON.stringify(event())
    for (const queue of this.#queues.values()) queue.send(body)
  }
}

function noQueue(name: string): ControlError {
  return new ControlError(`There is no queue ${name}; add it with "add-queue".`)
}
