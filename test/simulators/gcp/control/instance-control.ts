import { InstanceFinder, type InstanceView, type LifecycleControl } from '../../kit/control/instance-control.ts'
import type { Delays } from '../../kit/options.ts'
import { optionalOneOf, verbsOf, type Verb } from '../../kit/control/verb.ts'
import {
  dnsName,
  primaryInterface,
  type Instance,
  type InstanceStatus,
  type InstanceVersion,
} from '../instances/instance.ts'
import { systemEvents } from '../instances/lifecycle.ts'
import type { Project } from '../project.ts'

/** Its id is the numeric one; its reason the type of the operation that ended its service; its tags are labels. */
interface GcpInstanceView extends InstanceView {
  readonly name: string
  readonly privateDnsName: string
  /** The request that it was inserted with. */
  readonly clientToken: string
}

const stopReasons = ['user', 'guest', 'maintenance', 'hostError'] as const
type StopReason = (typeof stopReasons)[number]

/** What happens to instances from outside of the API. Each is found by its numeric id or its name. */
export interface InstanceControl extends LifecycleControl<GcpInstanceView, 'disks' | 'addresses'> {
  /** When the notice of its interruption says that it ends. Its metadata tell it. Undefined: there is no notice. */
  takenBackAt(id: string): number | undefined
  /** The instance stops: by a user, or by `guest`, `maintenance` or `hostError`, of which an operation of GCE tells. */
  stop(id: string, reason?: StopReason): void
  /** Its host fails: REPAIRING. */
  impair(id: string): void
  /** It runs again. */
  repair(id: string): void
}

const serving = ['PROVISIONING', 'STAGING', 'RUNNING'] as const

export function instanceControl({ instances, disks, lifecycle, world }: Project, delays: Delays): InstanceControl {
  const found = new InstanceFinder<Instance, InstanceStatus>({
    cloud: 'GCE',
    find: (id) => instances.find(id)?.instance,
    stateOf: ({ status }) => status,
    isSpot: ({ plan }) => plan.scheduling.isSpot,
  })
  return {
    interrupt(id, noticeMs) {
      const instance = found.spotIn(serving, id)
      const { noticeSeconds } = instance.plan.scheduling
      const own = noticeSeconds === undefined ? delays.noticeMs : noticeSeconds * 1000
      lifecycle.interrupt(instance, noticeMs ?? own)
    },
    stop(id, reason = 'user') {
      const instance = found.in(serving, id)
      if (reason === 'user') lifecycle.stop(instance, 'stop')
      else lifecycle.strike(instance, systemEvents[reason])
    },
    terminate: (id) => lifecycle.delete(found.any(id)),
    vanish: (id) => lifecycle.vanish(found.any(id)),
    impair: (id) => lifecycle.impair(found.in(['RUNNING'], id)),
    repair: (id) => lifecycle.repair(found.in(['REPAIRING'], id)),
    takenBackAt: (id) => lifecycle.takenBackAt(found.any(id)),
    instances: () => instances.visible().map((instance) => view(instance, world.project)),
    remains: () => ({
      instances: instances.visible().map(({ plan }) => plan.name),
      disks: disks.all.map(({ plan }) => plan.name),
      addresses: instances.addresses(),
    }),
  }
}

function view(instance: InstanceVersion, project: string): GcpInstanceView {
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
  const calls = verbsOf(control)
  return [
    calls('interrupt', 'GCE takes a spot instance back', ['id', 'text'], ['notice', 'duration?']),
    calls(
      'stop',
      'an instance stops: by its user (left out: this one), its guest, maintenance or a hostError',
      ['id', 'text'],
      ['reason', optionalOneOf(stopReasons)],
    ),
    calls('terminate', 'somebody deletes an instance', ['id', 'text']),
    calls('vanish', 'an instance is gone without a trace', ['id', 'text']),
    calls('impair', 'the host of an instance fails: it is REPAIRING', ['id', 'text']),
    calls('repair', 'it runs again', ['id', 'text']),
  ]
}
