import type { InstanceType } from '../supply/instance-types.ts'
import type { Resource } from './resources.ts'
import type { Tags } from './tags.ts'
import type { VirtualMachineValues } from '../launch/fields.ts'
import type { Image } from '../world.ts'

export type ProvisioningState = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'Deleting'
export type PowerState = 'starting' | 'running' | 'stopping' | 'stopped' | 'deallocating' | 'deallocated'
export type DeleteOption = 'Delete' | 'Detach'
export type EvictionPolicy = 'Deallocate' | 'Delete'

/** What a PUT asked for, checked and with Azure's defaults filled in. */
export interface LaunchPlan {
  readonly resourceGroup: string
  readonly name: string
  readonly tags: Tags
  readonly location: string
  /** Undefined: Azure chooses, and does not say which. */
  readonly zone: string | undefined
  readonly type: InstanceType
  readonly image: Image
  /** Undefined: it is not bought on the spot market. */
  readonly spot: SpotTerms | undefined
  readonly interfaces: readonly InterfaceUse[]
  readonly osDisk: DiskPlan
  readonly dataDisks: readonly DiskPlan[]
  readonly computerName: string
  readonly hasUserData: boolean
  /** The request itself, for what is only kept and shown again. */
  readonly given: VirtualMachineValues
}

export interface SpotTerms {
  readonly evictionPolicy: EvictionPolicy
  /** In dollars an hour; -1: whatever it costs. */
  readonly maxPrice: number
}

export interface InterfaceUse {
  readonly id: string
  readonly isPrimary: boolean
  readonly deleteOption: DeleteOption
}

export interface DiskPlan {
  readonly id: string
  readonly name: string
  readonly sizeGB: number
  readonly sku: string
  readonly deleteOption: DeleteOption
  /** Undefined: the disk of the operating system. */
  readonly lun: number | undefined
  /** On the host itself: there is no resource of it. */
  readonly isEphemeral: boolean
}

/** Why provisioning failed. */
export interface Refusal {
  readonly code: string
  readonly message: string
}

/** One virtual machine, from its acceptance until it is gone. */
export interface Instance extends Resource {
  /** Never the same again, even where the name is. */
  readonly vmId: string
  readonly plan: LaunchPlan
  provisioning: ProvisioningState
  /** Undefined: the platform has nothing to say of it yet. */
  power: PowerState | undefined
  failure: Refusal | undefined
  /** When its state became what it is. */
  changedAt: number
  /** By their names; they end with the machine. */
  readonly extensions: Map<string, Extension>
}

export interface Extension {
  readonly name: string
  readonly publisher: string
  readonly version: string
  /** Until then it is being installed. */
  readonly readyAt: number
  /** Its script ended with an error. */
  readonly fails: boolean
}

export function isSpot({ plan }: Readonly<Instance>): boolean {
  return plan.spot !== undefined
}

export function marketOf({ spot }: LaunchPlan): 'spot' | 'on-demand' {
  return spot ? 'spot' : 'on-demand'
}
