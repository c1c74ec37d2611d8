import type { Clock, Log } from '../../../../api/ctx.ts'
import type { NodeRegistrar } from '../../kit/instances/nodes.ts'
import type { Delays } from '../../kit/options.ts'
import { Timers } from '../../kit/instances/timers.ts'
import { bootedMachine } from './booted-machine.ts'
import { canceled } from '../http/failures.ts'
import { hasUserData, type Instance, type InstanceStatus } from './instance.ts'
import type { Instances } from './instances.ts'
import type { Operation, OperationError, Operations } from '../http/operations.ts'
import type { World } from '../world.ts'

/** Types of operations that GCE begins by itself. */
export const systemEvents = {
  preempted: 'compute.instances.preempted',
  guest: 'compute.instances.guestTerminate',
  hostError: 'compute.instances.hostError',
  maintenance: 'compute.instances.terminateOnHostMaintenance',
} as const

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  readonly nodes: NodeRegistrar
  readonly world: World
  readonly delays: Delays
  readonly instances: Instances
  readonly operations: Operations
}

interface Course {
  /** Operations on the instance that have not ended. */
  readonly operations: Set<Operation>
  isDeleted: boolean
}

/** Moves instances from state to state, by the clock that it was given. */
export class Lifecycle {
  readonly #around: Surroundings
  readonly #timers: Timers<Instance>
  readonly #takenBackAt = new WeakMap<Instance, number>()
  readonly #courses = new Map<Instance, Course>()

  constructor(around: Surroundings) {
    this.#around = around
    this.#timers = new Timers(around.clock)
  }

  /** After an insert or a start. `failure`: what becomes of it instead. */
  boot(instance: Instance, operation: Operation, failure: OperationError | undefined): void {
    const { bootMs } = this.#around.delays
    const isNew = instance.startedAt === undefined
    this.#course(instance).operations.add(operation)
    this.#enter(instance, 'PROVISIONING', undefined)
    // One after the other: of timers that were begun together Node may ring the longer one first, when it is late for
    // both.
    const half = Math.floor(bootMs / 2)
    this.#timers.later(instance, half, () => {
      if (failure) {
        if (isNew && !failure.leaves) this.#end(instance, failure)
        else this.#rest(instance, failure)
        return
      }
      this.#enter(instance, 'STAGING', undefined)
      this.#timers.later(instance, bootMs - half, () => this.#run(instance))
    })
  }

  /** `reason`: the type of the operation that it is stopped by. */
  stop(instance: Instance, reason: string, operation?: Operation): void {
    const course = this.#course(instance)
    if (instance.status === 'TERMINATED' || course.isDeleted) {
      if (operation) this.#around.operations.end(operation, this.#around.clock.now())
      return
    }
    if (instance.status === 'STOPPING') {
      if (operation) course.operations.add(operation)
      return
    }
    this.#leave(instance, reason, operation)
    this.#timers.later(instance, this.#around.delays.stopMs, () => this.#rest(instance))
  }

  delete(instance: Instance, operation?: Operation): void {
    const course = this.#course(instance)
    if (course.isDeleted) {
      if (operation) course.operations.add(operation)
      return
    }
    this.#leave(instance, 'delete', operation)
    this.#course(instance).isDeleted = true
    this.#timers.later(instance, this.#around.delays.shutdownMs, () => this.#end(instance))
  }

  /** What GCE does when it wants its capacity back: the notice, the operation that says so, the end. */
  interrupt(instance: Instance, noticeMs: number): void {
    const { operations, clock, delays } = this.#around
    const end = () => {
      operations.record(systemEvents.preempted, instance, clock.now())
      this.stop(instance, systemEvents.preempted)
      if (instance.plan.scheduling.terminationAction !== 'DELETE') return
      this.#timers.cancel(instance)
      this.#course(instance).isDeleted = true
      this.#timers.later(instance, delays.stopMs, () => this.#end(instance))
    }
    this.#takenBackAt.set(instance, clock.now() + noticeMs)
    if (noticeMs === 0) end()
    else this.#timers.later(instance, noticeMs, end)
  }

  /** When it ends by the notice that it was given. Its metadata tell it. */
  takenBackAt(instance: Instance): number | undefined {
    return this.#takenBackAt.get(instance)
  }

  /** Something that happens to it and is no call. */
  strike(instance: Instance, event: string): void {
    const { operations, clock } = this.#around
    operations.record(event, instance, clock.now())
    this.stop(instance, event)
  }

  /** Lost, and with it every trace: no operation tells of it. */
  vanish(instance: Instance): void {
    this.#leave(instance, 'vanished')
    this.#end(instance)
  }

  /** Its host has failed, and GCE works on it. */
  impair(instance: Instance): void {
    const { operations, clock } = this.#around
    operations.record(systemEvents.hostError, instance, clock.now())
    this.#silence(instance)
    this.#enter(instance, 'REPAIRING', systemEvents.hostError)
  }

  repair(instance: Instance): void {
    this.#run(instance)
  }

  close(): void {
    this.#timers.close()
    this.#courses.clear()
  }

  #run(instance: Instance): void {
    const { nodes, clock, world } = this.#around
    instance.startedAt = clock.now()
    this.#enter(instance, 'RUNNING', undefined)
    this.#endOperations(instance)
    if (hasUserData(instance)) nodes.started(bootedMachine(instance, world))
  }

  /** Out of service: whatever was to come, boot or notice, does not come any more. */
  #leave(instance: Instance, reason: string, operation?: Operation): void {
    this.#timers.cancel(instance)
    this.#endOperations(instance, canceled(this.#around.world.serviceAccount))
    if (operation) this.#course(instance).operations.add(operation)
    this.#silence(instance)
    this.#enter(instance, 'STOPPING', instance.reason ?? reason)
  }

  #silence(instance: Instance): void {
    const { nodes, world } = this.#around
    if (instance.status === 'RUNNING' && hasUserData(instance)) nodes.stopped(bootedMachine(instance, world))
  }

  #rest(instance: Instance, failure?: OperationError): void {
    instance.stoppedAt = this.#around.clock.now()
    this.#enter(instance, 'TERMINATED', instance.reason)
    this.#endOperations(instance, failure)
  }

  #end(instance: Instance, failure?: OperationError): void {
    const { instances, clock, log } = this.#around
    this.#timers.cancel(instance)
    instances.remove(instance, clock.now())
    this.#endOperations(instance, failure)
    this.#courses.delete(instance)
    log.info('Instance is gone', { instance: instance.plan.name, id: instance.id, why: failure?.code })
  }

  #enter(instance: Instance, status: InstanceStatus, reason: string | undefined): void {
    const { instances, log } = this.#around
    instance.status = status
    instance.reason = reason
    instances.note(instance)
    log.info('Instance changed its status', { instance: instance.plan.name, id: instance.id, status, reason })
  }

  #endOperations(instance: Instance, failure?: OperationError): void {
    const course = this.#course(instance)
    for (const operation of course.operations) this.#around.operations.end(operation, this.#around.clock.now(), failure)
    course.operations.clear()
  }

  #course(instance: Instance): Course {
    let course = this.#courses.get(instance)
    if (!course) {
      course = { operations: new Set(), isDeleted: false }
      this.#courses.set(instance, course)
    }
    return course
  }
}
