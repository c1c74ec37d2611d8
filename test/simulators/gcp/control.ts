import { ControlError, verb, type Verb } from '../kit/control.ts'
import type { FaultControl } from '../kit/fault-control.ts'
import type { RecordControl } from '../kit/record-control.ts'
import type { BucketControl } from '../kit/bucket-control.ts'
import type { BucketTable } from './buckets.ts'
import type { CredentialControl } from './credential-control.ts'
import { dnsName, primaryInterface, type Instance, type InstanceStatus, type InstanceVersion } from './instance.ts'
import { systemEvents, type Delays } from './lifecycle.ts'
import type { OperationControl } from './operation-control.ts'
import type { Project } from './project.ts'
import type { GceSightControl } from './sight-control.ts'
import type { SupplyControl } from './supply-control.ts'

/** An instance as people want to see it. */
export interface InstanceView {
  /** The numeric one. */
  readonly id: string
  readonly name: string
  readonly state: InstanceStatus
  /** The type of the operation that ended its service. */
  readonly reason: string | undefined
  readonly instanceType: string
  readonly zone: string
  readonly market: 'spot' | 'on-demand'
  readonly privateIp: string
  readonly privateDnsName: string
  /** The request that it was inserted with. */
  readonly clientToken: string
  /** Its labels. */
  readonly tags: Readonly<Record<string, string>>
  readonly launchedAt: string
}

/** All that the project has and that costs: nothing of a machine that was deleted may stay in it. */
export interface Remains {
  readonly instances: readonly string[]
  readonly disks: readonly string[]
  readonly addresses: readonly string[]
}

/** What happens to instances from outside of the API. Each is found by its numeric id or its name. */
export interface InstanceControl {
  /** GCE takes a spot instance back: the notice, then what its instanceTerminationAction says. */
  interrupt(id: string, noticeMs?: number): void
  /** The instance stops: by a user, or by `guest`, `maintenance` or `hostError`, of which an operation of GCE tells. */
  stop(id: string, reason?: StopReason): void
  /** Somebody deletes it. */
  terminate(id: string): void
  /** It is gone at once and without a trace. */
  vanish(id: string): void
  /** Its host fails: REPAIRING. */
  impair(id: string): void
  /** It runs again. */
  repair(id: string): void
  /** Every instance that there is. */
  instances(): readonly InstanceView[]
  remains(): Remains
}

export type StopReason = 'user' | 'guest' | 'maintenance' | 'hostError'

export type GcpControl = InstanceControl &
  SupplyControl &
  OperationControl &
  GceSightControl &
  BucketControl<BucketTable> &
  CredentialControl &
  FaultControl &
  RecordControl

const serving = ['PROVISIONING', 'STAGING', 'RUNNING'] as const

export function instanceControl({ instances, disks, lifecycle, world }: Project, delays: Delays): InstanceControl {
  const find = (id: string): Instance => {
    const instance = instances.find(id)?.instance
    if (instance) return instance
    throw new ControlError(`There is no instance ${id}; GET /_control/instances lists them.`)
  }
  const inState = (id: string, states: readonly InstanceStatus[]): Instance => {
    const instance = find(id)
    if (states.includes(instance.status)) return instance
    throw new ControlError(`Instance ${id} is ${instance.status}; it must be ${states.join(' or ')} for this.`)
  }
  return {
    interrupt(id, noticeMs) {
      const instance = inState(id, serving)
      const { isSpot, noticeSeconds } = instance.plan.scheduling
      if (!isSpot) {
        throw new ControlError(
          `Instance ${id} is not a spot instance: GCE does not take it back. Stop or terminate it.`,
        )
      }
      const own = noticeSeconds === undefined ? delays.noticeMs : noticeSeconds * 1000
      lifecycle.interrupt(instance, noticeMs ?? own)
    },
    stop(id, reason = 'user') {
      const instance = inState(id, serving)
      if (reason === 'user') lifecycle.stop(instance, 'stop')
      else lifecycle.strike(instance, systemEvents[reason])
    },
    terminate: (id) => lifecycle.delete(find(id)),
    vanish: (id) => lifecycle.vanish(find(id)),
    impair: (id) => lifecycle.impair(inState(id, ['RUNNING'])),
    repair: (id) => lifecycle.repair(inState(id, ['REPAIRING'])),
    instances: () => instances.visible().map((instance) => view(instance, world.project)),
    remains: () => ({
      instances: instances.visible().map(({ plan }) => plan.name),
      disks: disks.all.map(({ plan }) => plan.name),
      addresses: instances.addresses(),
    }),
  }
}

function view(instance: InstanceVersion, project: string): InstanceView {
  const { plan } = instance
  return {
    id: instance.id,
    name: plan.name,
    state: instance.status,
    reason: instance.reason,
    instanceType: plan.machineType.name,
    zone: plan.zone.name,
    market: plan.scheduling.isSpot ? 'spot' : 'on-demand',
    privateIp: primaryInterface(instance).privateAddress ?? '',
    privateDnsName: dnsName(instance, project),
    clientToken: plan.requestId ?? '',
    tags: plan.labels,
    launchedAt: new Date(instance.createdAt).toISOString(),
  }
}

/** The same over HTTP. */
export function instanceVerbs(control: InstanceControl): readonly Verb[] {
  return [
    verb({
      name: 'interrupt',
      does: 'GCE takes a spot instance back',
      fields: { id: 'text', notice: 'duration?' },
      run: ({ id, notice }) => control.interrupt(id, notice),
    }),
    verb({
      name: 'stop',
      does: 'an instance stops: by its user (left out: this one), its guest, maintenance or a hostError',
      fields: { id: 'text', reason: 'text?' },
      run: ({ id, reason }) => control.stop(id, reasonCalled(reason)),
    }),
    verb({
      name: 'terminate',
      does: 'somebody deletes an instance',
      fields: { id: 'text' },
      run: ({ id }) => control.terminate(id),
    }),
    verb({
      name: 'vanish',
      does: 'an instance is gone without a trace',
      fields: { id: 'text' },
      run: ({ id }) => control.vanish(id),
    }),
    verb({
      name: 'impair',
      does: 'the host of an instance fails: it is REPAIRING',
      fields: { id: 'text' },
      run: ({ id }) => control.impair(id),
    }),
    verb({
      name: 'repair',
      does: 'it runs again',
      fields: { id: 'text' },
      run: ({ id }) => control.repair(id),
    }),
  ]
}

const stopReasons: readonly StopReason[] = ['user', 'guest', 'maintenance', 'hostError']

function reasonCalled(reason: string | undefined): StopReason | undefined {
  const found = stopReasons.find((one) => one === reason)
  if (found || reason === undefined) return found
  throw new ControlError(`"reason" must be one of ${stopReasons.join(', ')}.`)
}
