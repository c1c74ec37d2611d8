import type { Version } from '../../kit/instances/history.ts'
import type { Disk } from './disks.ts'
import type { MachineType } from '../supply/machine-types.ts'
import type { Reservation } from '../supply/reservations.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'
import type { Image, Subnetwork, Zone } from '../world.ts'

export type InstanceStatus = 'PROVISIONING' | 'STAGING' | 'RUNNING' | 'STOPPING' | 'TERMINATED' | 'REPAIRING'

/** What an insert asked for, checked and with GCE's defaults filled in. */
export interface InsertPlan {
  readonly name: string
  readonly zone: Zone
  readonly machineType: MachineType
  readonly scheduling: Scheduling
  readonly interfaces: readonly InterfacePlan[]
  readonly disks: readonly DiskPlan[]
  readonly accelerators: readonly Accelerator[]
  readonly labels: Readonly<Record<string, string>>
  readonly metadata: readonly MetadataItem[]
  /** The reservation that it takes its capacity from. */
  readonly reservation: Reservation | undefined
  readonly requestId: string | undefined
  /** What is only kept and shown again. */
  readonly settings: Settings
}

export interface Scheduling {
  readonly isSpot: boolean
  readonly provisioningModel: 'STANDARD' | 'SPOT'
  readonly preemptible: boolean
  readonly automaticRestart: boolean
  readonly onHostMaintenance: 'MIGRATE' | 'TERMINATE'
  /** Of spot instances only. */
  readonly terminationAction: 'STOP' | 'DELETE' | undefined
  /** How long before its end a spot instance is told; undefined: nothing was said of it. */
  readonly noticeSeconds: number | undefined
}

export interface InterfacePlan {
  readonly subnetwork: Subnetwork
  readonly address: string | undefined
  readonly isPublic: boolean
  readonly aliases: readonly { readonly ipCidrRange: string; readonly subnetworkRangeName?: string }[]
  readonly nicType: string | undefined
}

export interface DiskPlan {
  readonly name: string
  readonly deviceName: string
  readonly isBoot: boolean
  readonly isScratch: boolean
  readonly autoDelete: boolean
  readonly interface: string
  readonly mode: string
  readonly type: string
  readonly sizeGb: number
  readonly image: Image | undefined
  readonly labels: Readonly<Record<string, string>>
}

export interface Accelerator {
  readonly type: string
  readonly count: number
}

export interface MetadataItem {
  readonly key: string
  readonly value: string
}

export interface Settings extends Pick<
  InstanceValues,
  | 'confidentialInstanceConfig'
  | 'description'
  | 'hostname'
  | 'minCpuPlatform'
  | 'reservationAffinity'
  | 'serviceAccounts'
  | 'shieldedInstanceConfig'
> {
  readonly canIpForward: boolean
  readonly isProtected: boolean
  readonly tags: readonly string[]
}

export interface NetworkInterface extends InterfacePlan {
  readonly name: string
  /** Undefined: the subnetwork had none left, and the instance will not be. */
  readonly privateAddress: string | undefined
  readonly publicAddress: string | undefined
}

export interface AttachedDisk {
  readonly plan: DiskPlan
  /** Undefined: a scratch disk, which is part of the instance. */
  readonly disk: Disk | undefined
}

/** One instance, from its insert until nothing is left of it. */
export interface Instance {
  readonly id: string
  readonly plan: InsertPlan
  readonly createdAt: number
  readonly interfaces: readonly NetworkInterface[]
  readonly disks: readonly AttachedDisk[]
  status: InstanceStatus
  /** The type of the operation that ended its service. */
  reason: string | undefined
  startedAt: number | undefined
  stoppedAt: number | undefined
  /** When it was gone: no call knows it any more, and its name is free. */
  goneAt: number | undefined
}

/** An instance as it looked at some time. It never changes, so what was once made of it can be kept. */
export type InstanceVersion = Version<Instance>

export function primaryInterface(instance: Readonly<Instance>): NetworkInterface {
  const [primary] = instance.interfaces
  if (!primary) throw new Error(`Instance ${instance.id} was made without a network interface`)
  return primary
}

export function dnsName({ plan }: Readonly<Instance>, project: string): string {
  return `${plan.name}.${plan.zone.name}.c.${project}.internal`
}

/** What makes the machine join a cluster. */
export function hasUserData({ plan }: Readonly<Instance>): boolean {
  return plan.metadata.some(({ key, value }) => ['user-data', 'startup-script'].includes(key) && value !== '')
}

export function pathOfInstance({ plan }: Pick<Instance, 'plan'>, project: string): string {
  return `projects/${project}/zones/${plan.zone.name}/instances/${plan.name}`
}
