import type { VirtualMachine } from '@azure/arm-compute'
import { standardWorld } from '../world.ts'

/** A machine that Azure refuses at once. */
export interface Trap {
  readonly trap: string
  /** What the request says that it should not; from the usual machine, and the id of an interface of its own. */
  readonly said: (usual: VirtualMachine) => VirtualMachine
  readonly code: string
  readonly status?: number
  readonly message: string
}

export const world = standardWorld()

export const over =
  (said: Partial<VirtualMachine>): Trap['said'] =>
  (usual) => ({ ...usual, ...said })

export const without =
  (name: keyof VirtualMachine): Trap['said'] =>
  (usual) => {
    const { [name]: _, ...rest } = usual
    return rest as VirtualMachine
  }

type StorageProfile = NonNullable<VirtualMachine['storageProfile']>
type OsDisk = NonNullable<StorageProfile['osDisk']>

export const storage =
  (said: Partial<StorageProfile>): Trap['said'] =>
  (usual) => ({ ...usual, storageProfile: { ...usual.storageProfile, ...said } })

export const osDisk =
  (said: Partial<OsDisk>): Trap['said'] =>
  (usual) => {
    const before = usual.storageProfile?.osDisk ?? { createOption: 'FromImage' }
    return { ...usual, storageProfile: { ...usual.storageProfile, osDisk: { ...before, ...said } } }
  }

export const guest =
  (said: Partial<NonNullable<VirtualMachine['osProfile']>>): Trap['said'] =>
  (usual) => ({ ...usual, osProfile: { ...usual.osProfile, ...said } })

/** Not on the spot market, and nothing said that belongs to it. */
export const regular =
  (said: Partial<VirtualMachine> = {}): Trap['said'] =>
  (usual) => {
    const { evictionPolicy: _, billingProfile: __, ...rest } = usual
    return { ...rest, priority: 'Regular', ...said }
  }
