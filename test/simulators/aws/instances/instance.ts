import type { Version } from '../../kit/instances/history.ts'
import type { InstanceType } from '../supply/instance-types.ts'
import type { CapacityReservation } from '../supply/reservations.ts'
import type { ScheduledEvent } from './scheduled-event.ts'
import type { Image, InstanceProfile, KeyPair, PlacementGroup, SecurityGroup, Subnet, Tag } from '../world.ts'

export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated'

export const stateCodes: Readonly<Record<InstanceState, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
}

/** EC2's StateReason. */
export interface StateReason {
  readonly code: string
  readonly message: string
}

/** What a RunInstances call asked for, checked and with EC2's defaults filled in. Shared by all that it launches. */
export interface LaunchPlan {
  readonly image: Image
  readonly type: InstanceType
  /** Where the first network interface goes. */
  readonly subnet: Subnet
  readonly count: { readonly min: number; readonly max: number }
  readonly interfaces: readonly InterfacePlan[]
  readonly volumes: readonly VolumePlan[]
  readonly tags: Readonly<Record<TaggedKind, readonly Tag[]>>
  readonly market: Market
  /** Undefined: it was not bought on the spot market. */
  readonly spot: SpotTerms | undefined
  /** The reservation that it takes its capacity from. */
  readonly reservation: CapacityReservation | undefined
  readonly placement: Placement
  readonly key: KeyPair | undefined
  readonly profile: InstanceProfile | undefined
  readonly hasUserData: boolean
  readonly metadata: MetadataOptions
  readonly clientToken: string
  readonly settings: Settings
}

export type TaggedKind = 'instance' | 'volume' | 'network-interface' | 'spot-instances-request'

export type Market = 'on-demand' | 'spot' | 'capacity-block'

export interface Placement {
  readonly group: PlacementGroup | undefined
  readonly partition: number | undefined
}

export interface SpotTerms {
  readonly maxPrice: number
}

export interface InterfacePlan {
  readonly deviceIndex: number
  readonly subnet: Subnet
  readonly groups: readonly SecurityGroup[]
  readonly isPublic: boolean
  readonly address: string | undefined
  readonly deleteOnTermination: boolean
  readonly description: string
}

export interface VolumePlan {
  readonly device: string
  readonly sizeGiB: number
  readonly type: string
  readonly iops: number | undefined
  readonly throughput: number | undefined
  readonly encrypted: boolean
  readonly deleteOnTermination: boolean
}

export interface MetadataOptions {
  readonly tokens: 'optional' | 'required'
  readonly hopLimit: number
  readonly endpoint: 'enabled' | 'disabled'
  readonly ipv6: 'enabled' | 'disabled'
  readonly tags: 'enabled' | 'disabled'
}

/** What is only kept and shown again. */
export interface Settings {
  readonly monitoring: boolean
  readonly ebsOptimized: boolean
  readonly tenancy: string
  readonly reservationPreference: string
  readonly reservationTarget: string | undefined
  readonly hostname: 'ip-name' | 'resource-name'
  readonly isProtected: boolean
}

export interface NetworkInterface extends InterfacePlan {
  readonly id: string
  readonly attachmentId: string
  readonly mac: string
  readonly privateAddress: string
  readonly publicAddress: string | undefined
  tags: readonly Tag[]
}

export interface Volume extends VolumePlan {
  readonly id: string
  tags: readonly Tag[]
}

export interface SpotRequest {
  readonly id: string
  readonly maxPrice: number
  tags: readonly Tag[]
  state: 'active' | 'cancelled' | 'closed'
  status: SpotStatus
  updatedAt: number
}

/** The status of a spot request, and when it became this. */
export interface SpotStatus {
  readonly code: string
  readonly message: string
}

/** One instance, from its launch to long after its end. */
export interface Instance {
  readonly id: string
  readonly reservationId: string
  /** Its place among all instances ever launched here. */
  readonly number: number
  /** Its place in its reservation. */
  readonly index: number
  readonly plan: LaunchPlan
  readonly launchedAt: number
  readonly interfaces: readonly NetworkInterface[]
  readonly volumes: readonly Volume[]
  readonly spot: SpotRequest | undefined
  tags: readonly Tag[]
  state: InstanceState
  reason: StateReason | undefined
  /** EC2's StateTransitionReason: when a person did it, and when. */
  transition: string
  endedAt: number | undefined
  /** Gone without a trace: no call shows it any more. */
  vanished: boolean
  runningSince: number | undefined
  /** Which of EC2's checks of it fail, and since when. */
  impaired: Readonly<Partial<Record<StatusCheck, number>>>
  /** What EC2 will do to it, or has done. */
  events: readonly ScheduledEvent[]
}

export type StatusCheck = 'system' | 'instance'

/** An instance as it looked at some time. It never changes, so what was once made of it can be kept. */
export type InstanceVersion = Version<Instance>

/** Terminated, or gone without a trace. */
export function isOver(instance: Readonly<Instance>): boolean {
  return instance.state === 'terminated' || instance.vanished
}

export function primaryInterface(instance: Readonly<Instance>): NetworkInterface {
  const [primary] = instance.interfaces
  if (!primary) throw new Error(`Instance ${instance.id} was launched without a network interface`)
  return primary
}

export function privateDnsName(instance: Readonly<Instance>, region: string): string {
  const domain = region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`
  if (instance.plan.settings.hostname === 'resource-name') return `${instance.id}.${domain}`
  return `ip-${primaryInterface(instance).privateAddress.replaceAll('.', '-')}.${domain}`
}

export function publicDnsName(address: string, region: string): string {
  const domain = region === 'us-east-1' ? 'compute-1' : `${region}.compute`
  return `ec2-${address.replaceAll('.', '-')}.${domain}.amazonaws.com`
}
