import type { Clock, Log } from '../../../../api/ctx.ts'
import type { BootedMachine, NodeRegistrar } from '../../kit/instances/nodes.ts'
import type { Delays } from '../../kit/options.ts'
import { Timers } from '../../kit/instances/timers.ts'
import type { Instance, PowerState, ProvisioningState, Refusal } from './instance.ts'
import type { Operation, Operations } from '../http/operations.ts'
import type { Shelf } from './resources.ts'

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  readonly nodes: NodeRegistrar
  readonly delays: Delays
  readonly instances: Shelf<Instance>
  readonly operations: Operations
  /** The machine as its kubelet would present itself now. */
  booted(instance: Instance): BootedMachine
  /** It is gone: its parts go with it or stay behind. */
  released(instance: Instance, how: { evicted: boolean }): void
}

const preempted = {
  code: 'OperationPreempted',
  message: 'Operation execution has been preempted by a more recent operation.',
} as const

/** Moves machines from state to state, by the clock that it was given. */
export class Lifecycle {
  readonly #around: Surroundings
  readonly #timers: Timers<object>
  readonly #takenBackAt = new WeakMap<Instance, number>()
  /** What is under way with each machine. */
  readonly #operations = new Map<Instance, Operation>()
  readonly #running = new Map<Instance, BootedMachine>()

  constructor(around: Surroundings) {
    this.#around = around
    this.#timers = new Timers(around.clock)
  }

  /** `refusal`: Azure finds out later that it cannot. */
  launch(instance: Instance, operation: Operation, refusal: Refusal | undefined): void {
    const { bootMs } = this.#around.delays
    this.#begin(instance, operation, { provisioning: 'Creating' })
    if (refusal) {
      this.#timers.later(instance, bootMs, () => this.#fail(instance, refusal, undefined))
      return
    }
    // On its way up a machine passes for stopped: nothing was stopped. One after the other: of timers that were begun
    // together Node may ring the longer one first, when it is late for both.
    const third = Math.floor(bootMs / 3)
    this.#timers.later(instance, third, () => {
      this.#enter(instance, { power: 'stopped' })
      this.#timers.later(instance, third, () => {
        this.#enter(instance, { power: 'starting' })
        this.#timers.later(instance, bootMs - 2 * third, () => this.#run(instance))
      })
    })
  }

  start(instance: Instance, operation: Operation, refusal: Refusal | undefined): void {
    const before = instance.power
    this.#begin(instance, operation, { provisioning: 'Updating', power: 'starting' })
    this.#timers.later(instance, this.#around.delays.bootMs, () => {
      if (refusal) this.#fail(instance, refusal, before)
      else this.#run(instance)
    })
  }

  /** Off, and still allocated. */
  stop(instance: Instance, operation?: Operation): void {
    this.#halt(instance, operation, ['stopping', 'stopped'])
  }

  /** Off, and its place given up. */
  deallocate(instance: Instance, operation?: Operation): void {
    this.#halt(instance, operation, ['deallocating', 'deallocated'])
  }

  remove(
    instance: Instance,
    { force, evicted = false }: { force: boolean; evicted?: boolean },
    operation?: Operation,
  ): void {
    const { stopMs, shutdownMs } = this.#around.delays
    this.#begin(instance, operation, { provisioning: 'Deleting' })
    this.#timers.later(instance, force ? shutdownMs : stopMs + shutdownMs, () => this.#end(instance, evicted))
  }

  /** Azure wants its capacity back: the notice, which only the machine itself sees, then what its policy says. */
  evict(instance: Instance, noticeMs: number): void {
    const now = () => {
      if (instance.plan.spot?.evictionPolicy !== 'Delete') this.deallocate(instance)
      else this.remove(instance, { force: false, evicted: true })
    }
    this.#takenBackAt.set(instance, this.#around.clock.now() + noticeMs)
    if (noticeMs === 0) now()
    else this.#timers.later(instance, noticeMs, now)
  }

  /** When it ends by the notice that it was given. Its metadata tell it. */
  takenBackAt(instance: Instance): number | undefined {
    return this.#takenBackAt.get(instance)
  }

  /** Gone at once, and with it all that its delete options name. */
  vanish(instance: Instance): void {
    this.#begin(instance, undefined, { provisioning: 'Deleting' })
    this.#end(instance, false)
  }

  /** For what goes as slowly as a machine does, and is none. */
  afterwards(run: () => void): void {
    this.#timers.later(this, this.#around.delays.shutdownMs, run)
  }

  close(): void {
    this.#timers.close()
  }

  /** Whatever was under way with it, boot or notice, does not happen any more. */
  #begin(instance: Instance, operation: Operation | undefined, state: Partial<State>): void {
    const { operations, nodes } = this.#around
    const before = this.#operations.get(instance)
    this.#timers.cancel(instance)
    if (before) operations.end(before, preempted)
    if (operation) this.#operations.set(instance, operation)
    else this.#operations.delete(instance)
    const machine = this.#running.get(instance)
    if (machine) nodes.stopped(machine)
    this.#running.delete(instance)
    this.#enter(instance, state)
  }

  #halt(instance: Instance, operation: Operation | undefined, [going, gone]: readonly [PowerState, PowerState]): void {
    // To an eviction, or to a guest that shuts down, nothing happens that Azure would call an update.
    const provisioning = operation ? 'Updating' : instance.provisioning
    this.#begin(instance, operation, { provisioning, power: going })
    this.#timers.later(instance, this.#around.delays.stopMs, () => {
      this.#enter(instance, { provisioning: operation ? 'Succeeded' : instance.provisioning, power: gone })
      this.#finish(instance)
    })
  }

  #run(instance: Instance): void {
    instance.failure = undefined
    this.#enter(instance, { provisioning: 'Succeeded', power: 'running' })
    this.#finish(instance)
    if (!instance.plan.hasUserData) return
    const machine = this.#around.booted(instance)
    this.#running.set(instance, machine)
    this.#around.nodes.started(machine)
  }

  #fail(instance: Instance, refusal: Refusal, power: PowerState | undefined): void {
    instance.failure = refusal
    this.#enter(instance, { provisioning: 'Failed', power })
    this.#finish(instance, refusal)
  }

  #end(instance: Instance, evicted: boolean): void {
    this.#finish(instance)
    this.#around.instances.remove(instance, this.#around.clock.now())
    this.#around.log.info('Machine is gone', { machine: instance.id })
    this.#around.released(instance, { evicted })
  }

  #finish(instance: Instance, error?: Refusal): void {
    const operation = this.#operations.get(instance)
    if (operation) this.#around.operations.end(operation, error)
    this.#operations.delete(instance)
  }

  #enter(instance: Instance, state: Partial<State>): void {
    Object.assign(instance, state)
    instance.changedAt = this.#around.clock.now()
    this.#around.instances.note(instance, instance.changedAt)
    this.#around.log.info('Machine changed its state', { machine: instance.id, ...state })
  }
}

interface State {
  readonly provisioning: ProvisioningState
  readonly power: PowerState | undefined
}
