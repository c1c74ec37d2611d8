import type { Ctx } from '../../../../api/ctx.ts'
import type { Hit } from '../faults/chaos.ts'
import type { Troubles } from '../control/fault-control.ts'
import type { Failure } from '../faults/faults.ts'
import type { Call, OpenCall } from './journal.ts'
import { Refusal } from './refusal.ts'
import type { SimulatedCloud } from './simulated-cloud.ts'
import { isLost } from '../faults/spoils.ts'
import type { WireAnswer, WireReply } from './wire.ts'

/** What a call goes through, from the wire and back to it. */
export class Passage<C extends Call> {
  readonly #cloud: SimulatedCloud<C>
  readonly #troubles: Troubles
  readonly #ctx: Ctx

  /** `ctx`: its signal fires when the simulator ends. */
  constructor(cloud: SimulatedCloud<C>, troubles: Troubles, ctx: Ctx) {
    this.#cloud = cloud
    this.#troubles = troubles
    this.#ctx = ctx
  }

  async of(call: C, open: OpenCall, left: AbortSignal): Promise<WireReply> {
    const { faults, chaos } = this.#troubles
    const hit = chaos.strike(call.action)
    if (hit?.kind === 'reset-before') return 'reset'
    if ((await faults.pass(open.request, 'before')) === 'drop') return 'cut'
    const due = this.#cloud.due?.(call, this.#ctx.signal, left)
    if (due) await due
    const answer = this.#answer(call, open, hit)
    const code = this.#cloud.codeOf(answer)
    open.answered(answer.status, code)
    this.#ctx.log.debug('Answered a call', { cloud: this.#cloud.cloud, action: call.action, code })
    const verdict = await faults.pass(open.request, 'after')
    if (verdict === 'drop' || faults.losesAnswerOf(call.action) || hit?.kind === 'answer-lost') {
      open.lost()
      return 'cut'
    }
    return this.#deliver(call, { answer, open, hit })
  }

  #answer(call: C, open: OpenCall, hit: Hit | undefined): WireAnswer {
    const refusal = this.#orRefusal(call, () => {
      this.#cloud.admit(call)
      return undefined
    })
    if (refusal) return refusal
    const failure = this.#troubles.faults.failureFor(call.action) ?? this.#failureOf(hit, 'server-error')
    if (failure) return this.#cloud.refuse(failure, call)
    const answer = this.#orRefusal(call, () => this.#cloud.perform(call))
    const afterwards = this.#failureOf(hit, 'error-after-commit')
    if (!afterwards) return answer
    open.lost()
    return this.#cloud.refuse(afterwards, call)
  }

  /** A refusal of the cloud is an answer; anything else that is thrown is a mistake of the simulator. */
  #orRefusal<T>(call: C, run: () => T): T | WireAnswer {
    try {
      return run()
    } catch (error) {
      if (error instanceof Refusal) return this.#cloud.refuse(error, call)
      throw error
    }
  }

  /** What a hit means in this cloud's words, where it is to be told now. */
  #failureOf(hit: Hit | undefined, kind: 'server-error' | 'error-after-commit'): Failure | undefined {
    const { throttle, serverErrors } = this.#cloud.failures
    if (hit?.kind === kind) return serverErrors[Math.floor(hit.roll * serverErrors.length)]
    return hit?.kind === 'throttle' ? throttle : undefined
  }

  /** The way back, on which an answer is late, comes to harm or does not come at all. */
  async #deliver(
    call: C,
    { answer, open, hit }: { answer: WireAnswer; open: OpenCall; hit: Hit | undefined },
  ): Promise<WireReply> {
    const { latency, spoils } = this.#troubles
    const { clock, signal } = this.#ctx
    const delay = latency.of(call.action) + (hit?.kind === 'slow' ? hit.slowMs : 0)
    if (delay > 0) {
      try {
        await clock.sleep(delay, signal)
      } catch {
        return 'cut' // The simulator ends, and with it every connection.
      }
    }
    const how = spoils.takeWire(call.action, () => this.#cloud.endsList(call, answer))
    if (how === undefined) {
      const { action } = call
      return { ...answer, body: spoils.tamper({ action, body: answer.body }) }
    }
    if (isLost(how)) open.lost()
    return spoils.apply(answer, how)
  }
}
