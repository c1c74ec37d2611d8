import { readInterruption } from '../../api/interruption.ts'
import type { Machine, MachineSet } from '../../api/machine.ts'
import { controllingMachineSet } from '../../api/rules/interruption/interrupted-machine.ts'

/** The MachineSet that controls the Machine, or that did so until its notice, for indexes. */
export function machineSetKeyOf(machine: Machine): string[] {
  const reading = readInterruption(machine)
  const name = controllingMachineSet(machine) ?? (reading.is === 'ours' ? reading.interruption.machineSet : undefined)
  return name === undefined ? [] : [`${machine.metadata.namespace}/${name}`]
}

/** The MachineDeployment that owns the MachineSet, for indexes. */
export function machineDeploymentKeyOf({ metadata }: MachineSet): string[] {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'MachineDeployment')?.name
  return owner === undefined ? [] : [`${metadata.namespace}/${owner}`]
}
