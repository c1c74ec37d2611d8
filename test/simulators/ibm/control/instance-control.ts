import {
  InstanceFinder,
  type InstanceView,
  type LifecycleControl,
  type Remains,
} from '../../kit/control/instance-control.ts'
import type { Delays } from '../../kit/options.ts'
import { verb, verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Account } from '../account.ts'
import { codeOf, primaryInterface, type Instance, type InstanceStatus } from '../instances/instance.ts'
import type { PlatformLog } from '../instances/platform-logs.ts'
import { reason, reasonCodes } from '../instances/reasons.ts'
import { time } from '../http/write.ts'

/** Instances of VPC have no tags. */
interface IbmInstanceView extends InstanceView {
  readonly name: string
  readonly preemption: 'delete' | 'stop'
  readonly privateDnsName: string
}

/** Virtual network interfaces, volumes and floating IPs. */
type Left = 'interfaces' | 'disks' | 'addresses'

/** What happens to instances from outside of the API. Each is found by its id or its name. */
export interface InstanceControl extends LifecycleControl<IbmInstanceView, Left> {
  /** The instance stops, for this reason, such as stopped_by_host_failure; left out: its user stops it. */
  stop(id: string, reason?: string): void
  /** Its status becomes failed, for this reason; what runs in it goes on. */
  fail(id: string, reason?: string): void
  /** From now on only these API keys are good; undefined: the one in the facts. */
  acceptKeys(keys: readonly string[] | undefined): void
  /** No token that was issued until now is good any more. */
  expireTokens(): void
  /** What the platform wrote to IBM Cloud Logs. */
  logs(): readonly PlatformLog[]
}

const up = ['pending', 'starting', 'running', 'restarting'] as const
const there = [...up, 'stopping', 'stopped', 'failed'] as const

export function instanceControl(account: Account, delays: Delays): InstanceControl {
  const { instances, lifecycle, clock, logs, tokens } = account
  const found = new InstanceFinder<Instance, InstanceStatus>({
    cloud: 'IBM',
    find: (id) => instances.get(id) ?? instances.called(id),
    stateOf: ({ status }) => status,
    isSpot: ({ availability }) => availability === 'spot',
  })
  return {
    interrupt(id, noticeMs = delays.noticeMs) {
      const instance = found.spotIn(up, id)
      logs.preemption(instance, clock.now())
      lifecycle.preempt(instance, noticeMs)
    },
    stop: (id, code) => lifecycle.stop(found.in(up, id), code === undefined ? undefined : reason(code)),
    terminate: (id) => lifecycle.delete(found.in(there, id)),
    vanish: (id) => lifecycle.vanish(found.any(id)),
    fail: (id, code = 'cannot_start_compute') => lifecycle.fail(found.in(up, id), reason(code)),
    acceptKeys: (keys) => tokens.accept(keys),
    expireTokens: () => tokens.expireAll(),
    instances: () => instances.visible().map(view),
    remains: () => remains(account),
    logs: () => logs.all,
  }
}

function view(instance: Readonly<Instance>): IbmInstanceView {
  const { id, name, status, plan, availability, policy, createdAt, zone } = instance
  return {
    id,
    name,
    state: status,
    reason: codeOf(instance),
    instanceType: plan.profile.name,
    zone: zone.name,
    market: availability === 'spot' ? 'spot' : 'on-demand',
    preemption: policy.preemption,
    privateIp: primaryInterface(instance).address,
    privateDnsName: instance.hostname,
    tags: {},
    launchedAt: time(createdAt),
  }
}

function remains({ instances, volumes, interfaces, floatingIps }: Account): Remains<Left> {
  const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)
  return {
    instances: names(instances.visible()),
    interfaces: names(interfaces.all),
    disks: names(volumes.all),
    addresses: names(floatingIps.all),
  }
}

/** The same over HTTP. */
export function instanceVerbs(control: InstanceControl): readonly Verb[] {
  const calls = verbsOf(control)
  const stopCodes = reasonCodes.filter((code) => code.startsWith('stop')).join(', ')
  return [
    calls('interrupt', 'IBM takes a spot instance back', ['id', 'text'], ['notice', 'duration?']),
    calls('stop', `an instance stops; reason, if not by its user: ${stopCodes}`, ['id', 'text'], ['reason', 'text?']),
    calls('terminate', 'somebody deletes an instance', ['id', 'text']),
    calls('vanish', 'an instance is gone without a trace', ['id', 'text']),
    calls(
      'fail',
      'the status of an instance becomes failed (cannot_start_compute); what runs in it goes on',
      ['id', 'text'],
      ['reason', 'text?'],
    ),
    verb({
      name: 'accept-keys',
      does: 'accepts these API keys only, with commas between them; without "keys": the one in the facts',
      fields: { keys: 'text?' },
      run: ({ keys }) => control.acceptKeys(keys?.split(',').map((key) => key.trim())),
    }),
    calls('expireTokens', 'no token that was issued until now is good any more'),
  ]
}
