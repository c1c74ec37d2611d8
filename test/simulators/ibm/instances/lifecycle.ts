import type { Clock, Log } from '../../../../api/ctx.ts'
import type { NodeRegistrar } from '../../kit/instances/nodes.ts'
import type { Delays } from '../../kit/options.ts'
import { Timers } from '../../kit/instances/timers.ts'
import type { Behaviour } from '../control/behaviour.ts'
import { bootedMachine } from './booted-machine.ts'
import type { Instance, InstanceStatus, Reason } from './instance.ts'
import { reason } from './reasons.ts'

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  readonly nodes: NodeRegistrar
  readonly region: string
  readonly accountId: string
  readonly delays: Delays
  readonly behaviour: () => Behaviour
  /** It looks different now. */
  changed(instance: Instance): void
  /** What was made for it is free again. */
  released(instance: Instance): void
}

/** Moves instances from state to state, by the clock that it was given. */
export class Lifecycle {
  readonly #around: Surroundings
  readonly #timers: Timers<Instance>
  readonly #withNode = new Set<Instance>()

  constructor(around: Surroundings) {
    this.#around = around
    this.#timers = new Timers(around.clock)
  }

  /** `failure`: what IBM finds out when it looks for a place, long after it has said yes. */
  boot(instance: Instance, failure: Reason | undefined): void {
    const half = this.#around.delays.bootMs / 2
    this.#timers.later(instance, half, () => {
      if (failure) return this.#fail(instance, failure)
      this.#place(instance)
      this.#enter(instance, 'starting')
      this.#timers.later(instance, half, () => this.#run(instance))
    })
  }

  start(instance: Instance, failure: Reason | undefined): void {
    this.#leave(instance, 'starting')
    const { bootMs } = this.#around.delays
    this.#timers.later(instance, bootMs / 2, () => {
      if (failure) return this.#fail(instance, failure)
      this.#place(instance)
      this.#timers.later(instance, bootMs / 2, () => this.#run(instance))
    })
  }

  /** `why`: undefined, when its user stops it. */
  stop(instance: Instance, why: Reason | undefined, waitMs: number = this.#around.delays.stopMs): void {
    this.#leave(instance, 'stopping')
    this.#timers.later(instance, waitMs, () => this.#enter(instance, 'stopped', why))
  }

  reboot(instance: Instance): void {
    this.#leave(instance, 'restarting')
    this.#timers.later(instance, this.#around.delays.bootMs, () => this.#run(instance))
  }

  delete(instance: Instance): void {
    this.#leave(instance, 'deleting')
    this.#timers.later(instance, this.#around.delays.shutdownMs, () => this.#end(instance))
  }

  /** IBM takes it back: the guest is told to shut down, and is forced off when it has not by then. */
  preempt(instance: Instance, noticeMs: number): void {
    if (instance.policy.preemption === 'delete') return this.#preemptForEver(instance, noticeMs)
    const why = reason('stopped_by_preemption')
    const { stopMs } = this.#around.delays
    this.#timers.cancel(instance)
    this.#enter(instance, 'stopping')
    if (this.#around.behaviour().preemptionReasonFrom === 'stopping') this.#explain(instance, why)
    this.#timers.later(instance, noticeMs, () => {
      this.#silence(instance)
      this.#timers.later(instance, stopMs, () => {
        this.#enter(instance, 'stopped')
        this.#explain(instance, why)
      })
    })
  }

  /** What can also be said of an instance that can still be reached. */
  fail(instance: Instance, why: Reason): void {
    this.#timers.cancel(instance)
    this.#enter(instance, 'failed', why)
  }

  /** Lost, and with it every trace: no state is ever seen again. */
  vanish(instance: Instance): void {
    this.#leave(instance, 'deleting')
    this.#end(instance)
  }

  /** Something else of it has changed. */
  touch(instance: Instance): void {
    this.#around.changed(instance)
  }

  close(): void {
    this.#timers.close()
  }

  #preemptForEver(instance: Instance, noticeMs: number): void {
    this.#timers.cancel(instance)
    this.#enter(instance, 'deleting')
    this.#timers.later(instance, noticeMs, () => {
      this.#silence(instance)
      this.#timers.later(instance, this.#around.delays.shutdownMs, () => this.#end(instance))
    })
  }

  #fail(instance: Instance, failure: Reason): void {
    instance.lifecycleState = 'stable'
    instance.lifecycleReasons = []
    this.#enter(instance, this.#around.behaviour().capacityFailure, failure)
  }

  #place(instance: Instance): void {
    instance.isPlaced = true
    instance.lifecycleState = 'stable'
    instance.lifecycleReasons = []
    this.#around.changed(instance)
  }

  #run(instance: Instance): void {
    this.#enter(instance, 'running')
    if (!instance.plan.hasUserData) return
    this.#withNode.add(instance)
    this.#around.nodes.started(bootedMachine(instance, this.#around))
  }

  /** Out of service: whatever was to come does not come any more. */
  #leave(instance: Instance, status: InstanceStatus): void {
    this.#timers.cancel(instance)
    this.#silence(instance)
    this.#enter(instance, status)
  }

  #silence(instance: Instance): void {
    if (!this.#withNode.delete(instance)) return
    this.#around.nodes.stopped(bootedMachine(instance, this.#around))
  }

  #enter(instance: Instance, status: InstanceStatus, why?: Reason): void {
    instance.status = status
    instance.reasons = why ? [why] : []
    if (status === 'deleting') instance.lifecycleState = 'deleting'
    if (instance.lifecycleState !== 'pending') instance.lifecycleReasons = []
    this.#around.changed(instance)
    this.#around.log.info('Instance changed its state', { instance: instance.id, status, reason: why?.code })
  }

  #explain(instance: Instance, why: Reason): void {
    if (this.#around.behaviour().preemptionReason === 'status_reasons') instance.reasons = [why]
    else instance.lifecycleReasons = [why]
    this.#around.changed(instance)
  }

  #end(instance: Instance): void {
    instance.goneAt = this.#around.clock.now()
    this.#around.changed(instance)
    this.#around.released(instance)
  }
}
