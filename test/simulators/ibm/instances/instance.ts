import type { Version } from '../../kit/instances/history.ts'
import type { AvailabilityClass, InstanceProfile } from '../supply/instance-profiles.ts'
import type { Resource } from '../ids.ts'
import type { Reservation } from '../supply/reservations.ts'
import type { InterfacePlan, NetworkInterface } from './interfaces.ts'
import type { VolumeAttachment, VolumePlan } from './volumes.ts'
import type { Image, Key, Vpc, Zone } from '../world.ts'

export type InstanceStatus =
  | 'deleting'
  | 'failed'
  | 'pending'
  | 'restarting'
  | 'running'
  | 'starting'
  | 'stopped'
  | 'stopping'

export type LifecycleState = 'deleting' | 'failed' | 'pending' | 'stable'

/** Why something is in its state, as IBM writes it. */
export interface Reason {
  readonly code: string
  readonly message: string
}

/** What a create_instance call asked for, checked and with IBM's defaults filled in. */
export interface LaunchPlan {
  /** Undefined: IBM makes one up. */
  readonly name: string | undefined
  readonly zone: Zone
  readonly vpc: Vpc
  readonly profile: InstanceProfile
  readonly image: Image
  readonly resourceGroup: Resource
  readonly keys: readonly Key[]
  readonly hasUserData: boolean
  /** Of the cluster that its user data make it join. */
  readonly clusterName: string
  readonly availability: AvailabilityClass
  readonly policy: AvailabilityPolicy
  readonly affinity: ReservationAffinity
  readonly placement: PlacementTarget | undefined
  readonly metadata: MetadataService
  /** The first one is the primary one. */
  readonly interfaces: readonly [InterfacePlan, ...InterfacePlan[]]
  /** The first one is what it boots from. */
  readonly volumes: readonly [VolumePlan, ...VolumePlan[]]
  readonly settings: Settings
}

export interface AvailabilityPolicy {
  readonly hostFailure: 'restart' | 'stop'
  readonly preemption: 'delete' | 'stop'
}

export interface ReservationAffinity {
  readonly policy: 'automatic' | 'disabled' | 'manual'
  readonly pool: readonly Reservation[]
}

export interface PlacementTarget {
  readonly kind: 'placementGroup' | 'dedicatedHost' | 'dedicatedHostGroup'
  readonly target: Resource
}

export interface MetadataService {
  readonly enabled: boolean
  readonly protocol: 'http' | 'https'
  readonly hopLimit: number
}

/** What is only kept and shown again. */
export interface Settings {
  readonly secureBoot: boolean
  readonly confidentialCompute: string
  readonly volumeBandwidth: number | undefined
  readonly qosMode: 'pooled' | 'weighted'
  readonly percentage: number
  readonly threadsPerCore: number
}

/** One instance, from its creation until nothing of it is left. What changes is replaced, never altered. */
export interface Instance extends Resource {
  readonly id: string
  /** Its place among all instances ever created here. */
  readonly number: number
  readonly plan: LaunchPlan
  readonly zone: Zone
  readonly createdAt: number
  /** The name that it was created with, whatever it is called now. */
  readonly hostname: string
  readonly interfaces: readonly NetworkInterface[]
  readonly volumes: readonly VolumeAttachment[]
  name: string
  availability: AvailabilityClass
  policy: AvailabilityPolicy
  affinity: ReservationAffinity
  metadata: MetadataService
  status: InstanceStatus
  reasons: readonly Reason[]
  lifecycleState: LifecycleState
  lifecycleReasons: readonly Reason[]
  /** The reservation that it takes its capacity from. */
  reservation: Reservation | undefined
  /** It has a place on a host, and its addresses. */
  isPlaced: boolean
  /** Nothing of it is left: no call shows it any more. */
  goneAt: number | undefined
}

/** An instance as it looked at some time. It never changes, so what was once made of it can be kept. */
export type InstanceVersion = Version<Instance>

/** The code for which it is in its state, wherever that stands. */
export function codeOf({ reasons, lifecycleReasons }: Readonly<Instance>): string | undefined {
  return reasons[0]?.code ?? lifecycleReasons[0]?.code
}

export function primaryInterface({ id, interfaces: [primary] }: Readonly<Instance>): NetworkInterface {
  if (!primary) throw new Error(`Instance ${id} was created without a network interface`)
  return primary
}

export function bootVolume({ id, volumes: [boot] }: Readonly<Instance>): VolumeAttachment {
  if (!boot) throw new Error(`Instance ${id} was created without a volume to boot from`)
  return boot
}
