import type { Ctx } from '../../api/ctx.ts'
import { readInterruption, type Interruption } from '../../api/interruption.ts'
import { owningMachineKey, type InfraMachine, type Machine, type MachineSet } from '../../api/machine.ts'
import { milestonesOf, reached, type Milestone, type Progress } from '../../api/rules/interruption/milestones.ts'
import { isAvailable, missingOf } from '../../api/rules/interruption/replacement-count.ts'
import { hasEnded } from '../../api/rules/outcome.ts'
import type { Cache, Change } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { infraOf } from '../shared/infra-of.ts'
import { machineSetKeyOf } from './machine-set-key.ts'
import { Timeline } from './timeline.ts'

export interface TimelineDeps {
  /** With the index `machineSet`. */
  readonly machines: Cache<Machine>
  readonly machineSets: Cache<MachineSet>
  /** By kind. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  readonly passed: (milestone: Milestone, seconds: number) => void
}

interface Following {
  readonly stop: () => void
  /** The decision about a notice was written, so long after the notice. `machine`: as it stands then. */
  readonly recorded: (machine: Machine, seconds: number) => void
}

/** Beyond this many the oldest is not followed any more. */
const mostFollowed = 10_000

/**
 * Follows each Machine with a decision until it is gone and replaced. It only watches, and nothing depends on it. After
 * a restart the times of what was over by then are lost.
 */
export class Timelines {
  readonly #deps: TimelineDeps
  readonly #ctx: Ctx
  /** By Machine. */
  readonly #timelines = new Map<string, Timeline>()
  /** By MachineSet: the Machines that it has to replace, in the order in which they were deleted. */
  readonly #awaited = new Map<string, Set<string>>()

  private constructor(deps: TimelineDeps, ctx: Ctx) {
    this.#deps = deps
    this.#ctx = ctx
  }

  /** Follows until `stop` is called. */
  static follow(deps: TimelineDeps, ctx: Ctx): Following {
    const timelines = new Timelines(deps, ctx)
    const { machines, machineSets, infraMachines } = deps
    for (const machine of machines.list()) timelines.#look(machine, true)
    const stops = [
      machines.onChange((change) => timelines.#machineChanged(change)),
      machineSets.onChange(({ key }) => timelines.#count(key)),
      ...Array.from(infraMachines.values(), (cache) =>
        cache.onChange(({ before, after }) => timelines.#infraChanged(after ?? before)),
      ),
    ]
    return {
      stop: () => stops.forEach((stop) => stop()),
      recorded: (machine, seconds) => timelines.#recorded(machine, seconds),
    }
  }

  /** The cache may show the decision before this, or after it. */
  #recorded(machine: Machine, seconds: number): void {
    this.#deps.passed('recorded', seconds)
    const reading = readInterruption(machine)
    const key = keyOf(machine)
    if (reading.is !== 'ours' || reading.interruption.isWaiting || !this.#deps.machines.get(key)) return
    this.#timelineOf(key, reading.interruption).recorded(seconds)
  }

  #machineChanged({ key, before, after, initial }: Change<Machine>): void {
    if (after) this.#look(after, initial === true)
    else this.#gone(key)
    // Without an available Machine more, nothing is replaced.
    if (after && isAvailable(after) && !(before && isAvailable(before)))
      machineSetKeyOf(after).forEach((set) => this.#count(set))
  }

  #infraChanged(infra: InfraMachine | undefined): void {
    for (const key of infra ? owningMachineKey(infra) : []) {
      const machine = this.#timelines.has(key) ? this.#deps.machines.get(key) : undefined
      if (machine) this.#look(machine, false)
    }
  }

  #look(machine: Machine, isOld: boolean): void {
    const reading = readInterruption(machine)
    const key = keyOf(machine)
    const known = this.#timelines.get(key)
    // The notice was taken back, or nothing came of it. What waits for its turn has not begun.
    if (reading.is !== 'ours' || reading.interruption.isWaiting) {
      if (known) this.#forget(key)
      return
    }
    const timeline = this.#timelineOf(key, reading.interruption)
    const behind = reached(this.#progress(machine))
    for (const milestone of behind) {
      if (isOld && !known) timeline.skip(milestone)
      else this.#pass(timeline, milestone)
    }
    if (behind.includes('deleted')) this.#await(key, timeline)
  }

  /** A stronger notice is decided anew, and its times begin anew. */
  #timelineOf(key: string, interruption: Interruption): Timeline {
    const known = this.#timelines.get(key)
    if (known?.follows(interruption)) return known
    const timeline = new Timeline(interruption, known)
    this.#timelines.set(key, timeline)
    const [oldest] = this.#timelines.keys()
    if (this.#timelines.size > mostFollowed && oldest !== undefined) this.#forget(oldest)
    return timeline
  }

  #progress(machine: Machine): Progress {
    const infra = infraOf(machine, this.#deps)
    return {
      isDeleting: machine.metadata.deletionTimestamp !== undefined,
      isInfraDeleting: infra?.metadata.deletionTimestamp !== undefined,
      isInfraGone: infra === undefined,
      hasEnded: infra !== undefined && hasEnded(infra),
    }
  }

  #pass(timeline: Timeline, milestone: Milestone): void {
    const seconds = timeline.pass(milestone, this.#ctx.clock.now())
    if (seconds !== undefined) this.#deps.passed(milestone, seconds)
  }

  #await(key: string, timeline: Timeline): void {
    const set = setOf(key, timeline)
    if (set === undefined || timeline.has('replaced') || !milestonesOf(timeline.interruption).has('replaced')) return
    const awaited = this.#awaited.get(set) ?? new Set()
    if (awaited.has(key)) return
    this.#awaited.set(set, awaited.add(key))
    this.#count(set)
  }

  /** MachineSets do not say what replaces what: the first that was deleted counts as the first that is replaced. */
  #count(set: string): void {
    const awaited = this.#awaited.get(set)
    if (!awaited) return
    const missing = this.#missing(set)
    const replaced = [...awaited].slice(0, Math.max(0, awaited.size - (missing ?? 0)))
    for (const key of replaced) {
      awaited.delete(key)
      const timeline = this.#timelines.get(key)
      if (timeline && missing !== undefined) this.#pass(timeline, 'replaced')
      if (!this.#deps.machines.get(key)) this.#end(key)
    }
    if (awaited.size === 0) this.#awaited.delete(set)
  }

  /** Undefined: the MachineSet is gone, so no replacement comes. */
  #missing(key: string): number | undefined {
    const { machines, machineSets } = this.#deps
    const set = machineSets.get(key)
    if (!set) return undefined
    const { name } = set.metadata
    const replicas = set.spec.replicas ?? 1
    const now = this.#ctx.clock.now()
    return missingOf({ name, replicas, machines: machines.by('machineSet', key), patienceMs: Infinity, now })
  }

  #gone(key: string): void {
    const timeline = this.#timelines.get(key)
    if (!timeline) return
    this.#pass(timeline, 'deleted')
    this.#pass(timeline, 'off')
    this.#await(key, timeline)
    if (!this.#awaited.get(setOf(key, timeline) ?? '')?.has(key)) this.#end(key)
  }

  #end(key: string): void {
    const timeline = this.#timelines.get(key)
    if (!timeline) return
    const { kind, source, instance, act, deadline } = timeline.interruption
    const { seconds } = timeline
    this.#ctx.log.info('Interruption is over', { Machine: key, kind, source, instance, act, deadline, seconds })
    this.#forget(key)
  }

  #forget(key: string): void {
    const timeline = this.#timelines.get(key)
    const set = timeline && setOf(key, timeline)
    this.#timelines.delete(key)
    if (set !== undefined) this.#awaited.get(set)?.delete(key)
  }
}

/** The MachineSet that replaces the Machine. */
function setOf(machine: string, { interruption }: Timeline): string | undefined {
  const namespace = machine.slice(0, machine.indexOf('/'))
  return interruption.machineSet === undefined ? undefined : `${namespace}/${interruption.machineSet}`
}
