import type { VirtualMachine } from '@azure/arm-compute'
import { trapsFrom } from '../../kit/traps.ts'
import { standardWorld } from '../world.ts'

/** From the usual machine, and the id of an interface of its own. */
type Said = (usual: VirtualMachine) => VirtualMachine

export const trapsOf = trapsFrom<Said>

export const world = standardWorld()

export const over =
  (said: Partial<VirtualMachine>): Said =>
  (usual) => ({ ...usual, ...said })

export const without =
  (name: keyof VirtualMachine): Said =>
  (usual) => {
    const { [name]: _, ...rest } = usual
    return rest as VirtualMachine
  }

type StorageProfile = NonNullable<VirtualMachine['storageProfile']>
type OsDisk = NonNullable<StorageProfile['osDisk']>

export const storage =
  (said: Partial<StorageProfile>): Said =>
  (usual) => ({ ...usual, storageProfile: { ...usual.storageProfile, ...said } })

export const osDisk =
  (said: Partial<OsDisk>): Said =>
  (usual) => {
    const before = usual.storageProfile?.osDisk ?? { createOption: 'FromImage' }
    return { ...usual, storageProfile: { ...usual.storageProfile, osDisk: { ...before, ...said } } }
  }

export const guest =
  (said: Partial<NonNullable<VirtualMachine['osProfile']>>): Said =>
  (usual) => ({ ...usual, osProfile: { ...usual.osProfile, ...said } })

/** Not on the spot market, and nothing said that belongs to it. */
export const regular =
  (said: Partial<VirtualMachine> = {}): Said =>
  (usual) => {
    const { evictionPolicy: _, billingProfile: __, ...rest } = usual
    return { ...rest, priority: 'Regular', ...said }
  }
