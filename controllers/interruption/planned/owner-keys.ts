import { readInterruption } from '../../../api/interruption.ts'
import { core } from '../../../api/labels.ts'
import type { Machine } from '../../../api/machine.ts'
import { isPlanned } from '../../../api/notice.ts'
import { ownerOf } from '../../capacity/group-names.ts'
import { machineSetKeyOf } from '../machine-set-key.ts'

/**
 * The kind and key of the MachineDeployment that the Machine is of, or else of its MachineSet. Its labels stay when
 * another object becomes its controller.
 */
export function ownerKeyOf(machine: Machine): string {
  const [set] = machine.metadata.labels?.[core.deploymentName] === undefined ? machineSetKeyOf(machine) : []
  return set === undefined ? ownerOf(machine) : `MachineSet ${set}`
}

/** The owner of a Machine that has, or is to have, a replacement beside it, for indexes. */
export function aheadKeyOf(machine: Machine): string[] {
  return plannedAhead(machine) === undefined ? [] : [ownerKeyOf(machine)]
}

/** Whether the replacement beside it was planned. Undefined: there is none. */
export function plannedAhead(machine: Machine): boolean | undefined {
  const reading = readInterruption(machine)
  if (reading.is !== 'ours' || reading.interruption.act !== 'Delete' || !reading.interruption.isAhead) return undefined
  return isPlanned(reading.interruption.kind)
}

/** The owner of a Machine that waits for its turn, for indexes. */
export function waitingKeyOf(machine: Machine): string[] {
  const reading = readInterruption(machine)
  return reading.is === 'ours' && reading.interruption.isWaiting ? [ownerKeyOf(machine)] : []
}
