import { findCondition, timeOf } from '../../conditions.ts'
import { readInterruption } from '../../interruption.ts'
import type { Machine } from '../../machine.ts'
import { controllingMachineSet, drainBy, isHooked } from './interrupted-machine.ts'

export interface SetFacts {
  readonly name: string
  readonly replicas: number
  /** The Machines that it controls, and those that it controlled until their notice. */
  readonly machines: readonly Machine[]
  /** A Machine that is older than this and still not available does not come any more. */
  readonly patienceMs: number
  readonly now: number
}

/**
 * The names of the Machines with our hook that go on waiting: as many as the MachineSet lacks, those with the latest
 * deadline. No Machine is matched with a replacement: a match ends with its Machine, and the next one would take the
 * same replacement.
 */
export function stillWaiting(set: SetFacts): ReadonlySet<string> {
  const hooked = set.machines.filter((one) => !isLiving(one) && isHooked(one)).map(ending)
  // The order is total: two looks that see different orders would let two go for one replacement.
  const first = hooked.toSorted((a, b) => (a.end === b.end ? (a.name < b.name ? 1 : -1) : a.end < b.end ? 1 : -1))
  return new Set(first.slice(0, missingOf(set)).map((one) => one.name))
}

/** How many Machines the MachineSet lacks. */
export function missingOf({ name, replicas, machines, patienceMs, now }: SetFacts): number {
  const isPresent = (machine: Machine) => isAvailable(machine) || isOlderThan(patienceMs, machine, now)
  const serving = machines.filter((one) => isLiving(one) && controllingMachineSet(one) === name && isPresent(one))
  return Math.max(0, replicas - serving.length)
}

function isLiving({ metadata }: Machine): boolean {
  return metadata.deletionTimestamp === undefined
}

export function isAvailable({ status }: Machine): boolean {
  return findCondition(status?.conditions, 'Available')?.status === 'True'
}

function isOlderThan(ms: number, { metadata }: Machine, now: number): boolean {
  const created = timeOf(metadata.creationTimestamp)
  return created !== undefined && now - created > ms
}

function ending(machine: Machine): { name: string; end: number } {
  const reading = readInterruption(machine)
  const end = reading.is === 'ours' ? drainBy(reading.interruption) : undefined
  return { name: machine.metadata.name, end: end ?? Infinity }
}
