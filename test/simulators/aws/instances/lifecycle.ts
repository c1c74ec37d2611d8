import type { Clock, Log } from '../../../../api/ctx.ts'
import type { NodeRegistrar } from '../../kit/instances/nodes.ts'
import type { Delays } from '../../kit/options.ts'
import { Timers } from '../../kit/instances/timers.ts'
import { bootedMachine } from './booted-machine.ts'
import type { Instance, InstanceState, SpotRequest, SpotStatus, StateReason, StatusCheck } from './instance.ts'
import { endedEvent, eventCodes, scheduledEvent, type EventCode, type EventEnd } from './scheduled-event.ts'
import { endOfRequest, fulfilled, spotNotices, type SpotNotice } from './spot-request.ts'

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
  scheduled: {
    code: 'Server.ScheduledStop',
    message: 'Server.ScheduledStop: Stopped due to a scheduled retirement',
  },
  pending: { code: 'pending', message: 'pending' },
} as const satisfies Record<string, StateReason>

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
  readonly #takenBackAt = new WeakMap<Instance, number>()

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

  /**
   * Its spot request says so from now on. The instance runs on, and ends after the notice where the notice is of its
   * end.
   */
  notice(instance: Instance, code: SpotNotice, noticeMs: number): void {
    const { state, message, ends } = spotNotices[code]
    this.#mark(instance, state, { code, message })
    if (!ends) return
    this.#takenBackAt.set(instance, this.#around.clock.now() + noticeMs)
    if (noticeMs === 0) this.terminate(instance, reasons.reclaimed)
    else this.#timers.later(instance, noticeMs, () => this.terminate(instance, reasons.reclaimed))
  }

  /** EC2 has capacity again: its request is as before, and it runs on. */
  takeBackNotice(instance: Instance): void {
    this.#timers.cancel(instance)
    this.#takenBackAt.delete(instance)
    this.#mark(instance, 'active', fulfilled)
  }

  /** When it ends by the notice that it was given. Its metadata tell it. */
  takenBackAt(instance: Instance): number | undefined {
    return this.#takenBackAt.get(instance)
  }

  /** Lost with its host, and with it every trace: no state is ever seen again. */
  vanish(instance: Instance): void {
    this.#leave(instance, 'terminated', reasons.user)
    instance.vanished = true
    this.#closeRequest(instance, reasons.user)
    this.#end(instance)
  }

  /** One of EC2's own checks of it fails, and has failed for so long. */
  impair(instance: Instance, check: StatusCheck, forMs: number): void {
    instance.impaired = { [check]: this.#around.clock.now() - forMs, ...instance.impaired }
    this.#around.changed(instance)
  }

  repair(instance: Instance): void {
    instance.impaired = {}
    this.#around.changed(instance)
  }

  /** EC2 does this to it then, unless the instance has left service or the event was canceled. */
  schedule(instance: Instance, code: EventCode, afterMs: number): void {
    const event = scheduledEvent(code, this.#around.clock.now() + afterMs)
    instance.events = [...instance.events, event]
    this.#around.changed(instance)
    this.#timers.later(instance, afterMs, () => {
      const isOn = instance.events.some(({ id, ended }) => id === event.id && !ended)
      if (!isOn) return
      this.endEvents(instance, 'Completed', event.id)
      if (eventCodes[code].stops) this.stop(instance, reasons.scheduled)
    })
  }

  /** Its events, or the one of this id, are over. */
  endEvents(instance: Instance, how: EventEnd, id?: string): void {
    const now = this.#around.clock.now()
    instance.events = instance.events.map((event) =>
      id === undefined || id === event.id ? endedEvent(event, how, now) : event,
    )
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
    if (instance.spot?.state !== 'closed') this.#mark(instance, 'closed', endOfRequest(reason))
  }

  #mark({ spot }: Instance, state: SpotRequest['state'], status: SpotStatus): void {
    if (!spot) return
    Object.assign(spot, { state, status, updatedAt: this.#around.clock.now() })
  }
}
