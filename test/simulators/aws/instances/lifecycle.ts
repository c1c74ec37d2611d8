import type { Clock, Log } from '../../../../api/ctx.ts'
import type { NodeRegistrar } from '../../kit/instances/nodes.ts'
import type { Delays } from '../../kit/options.ts'
import { Timers } from '../../kit/instances/timers.ts'
import { bootedMachine } from './booted-machine.ts'
import type { Instance, InstanceState, StateReason, StatusCheck } from './instance.ts'

export const reasons = {
  user: { code: 'Client.UserInitiatedShutdown', message: 'Client.UserInitiatedShutdown: User initiated shutdown' },
  guest: {
    code: 'Client.InstanceInitiatedShutdown',
    message: 'Client.InstanceInitiatedShutdown: Instance initiated shutdown',
  },
  reclaimed: {
    code: 'Server.SpotInstanceTermination',
    message: 'Server.SpotInstanceTermination: Spot instance termination',
  },
  pending: { code: 'pending', message: 'pending' },
} as const satisfies Record<string, StateReason>

const noCapacity = 'because there is no Spot capacity available that matches your request.'

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  readonly nodes: NodeRegistrar
  readonly region: string
  readonly delays: Delays
  /** It looks different now. */
  changed(instance: Instance): void
  /** Its addresses are free again. */
  released(instance: Instance): void
}

/** Moves instances from state to state, by the clock that it was given. */
export class Lifecycle {
  readonly #around: Surroundings
  readonly #timers: Timers<Instance>

  constructor(around: Surroundings) {
    this.#around = around
    this.#timers = new Timers(around.clock)
  }

  boot(instance: Instance): void {
    const { delays, nodes, region } = this.#around
    this.#timers.later(instance, delays.bootMs, () => {
      this.#enter(instance, 'running', undefined)
      if (instance.plan.hasUserData) nodes.started(bootedMachine(instance, region))
    })
  }

  stop(instance: Instance, reason: StateReason): void {
    this.#leave(instance, 'stopping', reason)
    this.#timers.later(instance, this.#around.delays.stopMs, () => this.#enter(instance, 'stopped', reason))
  }

  terminate(instance: Instance, reason: StateReason): void {
    this.#leave(instance, 'shutting-down', reason)
    this.#closeRequest(instance, reason)
    this.#timers.later(instance, this.#around.delays.shutdownMs, () => {
      this.#enter(instance, 'terminated', reason)
      this.#end(instance)
    })
  }

  /** What EC2 does when it wants its capacity back: the notice, then the end. */
  interrupt(instance: Instance, noticeMs: number): void {
    this.#mark(instance, {
      code: 'marked-for-termination',
      message: `Your Spot instance is marked for termination ${noCapacity}`,
    })
    if (noticeMs === 0) this.terminate(instance, reasons.reclaimed)
    else this.#timers.later(instance, noticeMs, () => this.terminate(instance, reasons.reclaimed))
  }

  /** Lost with its host, and with it every trace: no state is ever seen again. */
  vanish(instance: Instance): void {
    this.#leave(instance, 'terminated', reasons.user)
    instance.vanished = true
    this.#closeRequest(instance, reasons.user)
    this.#end(instance)
  }

  /** One of EC2's own checks of it fails from now on. */
  impair(instance: Instance, check: StatusCheck): void {
    instance.impaired = { [check]: this.#around.clock.now(), ...instance.impaired }
    this.#around.changed(instance)
  }

  repair(instance: Instance): void {
    instance.impaired = {}
    this.#around.changed(instance)
  }

  close(): void {
    this.#timers.close()
  }

  /** Out of service: whatever was to come, boot or notice, does not come any more. */
  #leave(instance: Instance, state: InstanceState, reason: StateReason): void {
    this.#timers.cancel(instance)
    const { nodes, region, clock } = this.#around
    if (instance.state === 'running' && instance.plan.hasUserData) nodes.stopped(bootedMachine(instance, region))
    const time = new Date(clock.now()).toISOString()
    instance.transition = reason.code.startsWith('Client.User')
      ? `User initiated (${time.slice(0, 10)} ${time.slice(11, 19)} GMT)`
      : reason.code
    this.#enter(instance, state, reason)
  }

  #enter(instance: Instance, state: InstanceState, reason: StateReason | undefined): void {
    instance.state = state
    instance.reason = reason
    if (state === 'running') instance.runningSince = this.#around.clock.now()
    this.#around.changed(instance)
    this.#around.log.info('Instance changed its state', { instance: instance.id, state, reason: reason?.code })
  }

  #end(instance: Instance): void {
    instance.endedAt = this.#around.clock.now()
    this.#around.changed(instance)
    this.#around.released(instance)
  }

  #closeRequest(instance: Instance, reason: StateReason): void {
    if (!instance.spot || instance.spot.state === 'closed') return
    instance.spot.state = 'closed'
    this.#mark(
      instance,
      reason.code.startsWith('Server.Spot')
        ? { code: 'instance-terminated-no-capacity', message: `Your Spot instance was terminated ${noCapacity}` }
        : {
            code: 'instance-terminated-by-user',
            message: 'Spot Instance terminated due to user-initiated termination.',
          },
    )
  }

  #mark({ spot }: Instance, status: { code: string; message: string }): void {
    if (!spot) return
    spot.status = status
    spot.updatedAt = this.#around.clock.now()
  }
}
