import type { SightControl } from '../kit/sight-control.ts'
import { ControlError, verb, type Verb } from '../kit/control.ts'
import type { FaultControl } from '../kit/fault-control.ts'
import type { RecordControl } from '../kit/record-control.ts'
import type { Account } from './account.ts'
import type { BehaviourControl } from './behaviour-control.ts'
import type { BucketControl } from '../kit/bucket-control.ts'
import type { BucketTable } from './buckets.ts'
import { codeOf, primaryInterface, type Instance, type InstanceStatus } from './instance.ts'
import type { Delays } from './lifecycle.ts'
import type { PlatformLog } from './platform-logs.ts'
import { reason, reasonCodes } from './reasons.ts'
import type { VpcInvisible } from './sight.ts'
import type { SupplyControl } from './supply-control.ts'
import { time } from './write.ts'

/** An instance as people want to see it. */
export interface InstanceView {
  readonly id: string
  readonly name: string
  readonly state: InstanceStatus
  readonly reason: string | undefined
  readonly instanceType: string
  readonly zone: string
  readonly market: 'spot' | 'on-demand'
  readonly preemption: 'delete' | 'stop'
  readonly privateIp: string
  readonly privateDnsName: string
  /** Instances of VPC have none. */
  readonly tags: Readonly<Record<string, string>>
  readonly launchedAt: string
}

/** Names of all that costs money or stands in the way. */
export interface Remains {
  readonly instances: readonly string[]
  /** Virtual network interfaces. */
  readonly interfaces: readonly string[]
  /** Volumes. */
  readonly disks: readonly string[]
  /** Floating IPs. */
  readonly addresses: readonly string[]
}

/** What happens to instances from outside of the API. Each is found by its id or its name. */
export interface InstanceControl {
  /** IBM takes a spot instance back: its guest is told, then it is stopped or deleted, as its policy says. */
  interrupt(id: string, noticeMs?: number): void
  /** The instance stops, for this reason, such as stopped_by_host_failure; left out: its user stops it. */
  stop(id: string, reason?: string): void
  /** Somebody deletes it. */
  terminate(id: string): void
  /** It is gone at once and without a trace. */
  vanish(id: string): void
  /** Its status becomes failed, for this reason; what runs in it goes on. */
  fail(id: string, reason?: string): void
  /** From now on only these API keys are good; undefined: the one in the facts. */
  acceptKeys(keys: readonly string[] | undefined): void
  /** No token that was issued until now is good any more. */
  expireTokens(): void
  /** Every instance that there is. */
  instances(): readonly InstanceView[]
  /** What is left: everything empty when nothing leaked. */
  remains(): Remains
  /** What the platform wrote to IBM Cloud Logs. */
  logs(): readonly PlatformLog[]
}

/** What happens to API keys. */
export interface AccountControl {
  /** From now on this key is one of another account, in which there is nothing yet; answers with that account's id. */
  addAccount(apikey: string): string
}

export type IbmControl = InstanceControl &
  AccountControl &
  SupplyControl &
  SightControl<VpcInvisible> &
  BucketControl<BucketTable> &
  BehaviourControl &
  FaultControl &
  RecordControl

export function instanceControl(account: Account, delays: Delays): InstanceControl {
  const { instances, lifecycle, clock, logs, tokens } = account
  const inState = (id: string, states?: readonly InstanceStatus[]): Instance => {
    const instance = instances.get(id) ?? instances.called(id)
    if (!instance) throw new ControlError(`There is no instance ${id}; GET /_control/instances lists them.`)
    if (!states || states.includes(instance.status)) return instance
    throw new ControlError(`Instance ${id} is ${instance.status}; it must be ${states.join(' or ')} for this.`)
  }
  const up = ['pending', 'starting', 'running', 'restarting'] as const
  return {
    interrupt(id, noticeMs = delays.noticeMs) {
      const instance = inState(id, up)
      if (instance.availability !== 'spot') {
        throw new ControlError(
          `Instance ${id} is not a spot instance: IBM does not take it back. Stop or terminate it.`,
        )
      }
      logs.preemption(instance, clock.now())
      lifecycle.preempt(instance, noticeMs)
    },
    stop: (id, code) => lifecycle.stop(inState(id, up), code === undefined ? undefined : reason(code)),
    terminate: (id) => lifecycle.delete(inState(id, [...up, 'stopping', 'stopped', 'failed'])),
    vanish: (id) => lifecycle.vanish(inState(id)),
    fail: (id, code = 'cannot_start_compute') => lifecycle.fail(inState(id, up), reason(code)),
    acceptKeys: (keys) => tokens.accept(keys),
    expireTokens: () => tokens.expireAll(),
    instances: () => instances.all.map(view),
    remains: () => remains(account),
    logs: () => logs.all,
  }
}

function view(instance: Readonly<Instance>): InstanceView {
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

function remains({ instances, volumes, interfaces, floatingIps }: Account): Remains {
  const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)
  return {
    instances: names(instances.all),
    interfaces: names(interfaces.all),
    disks: names(volumes.all),
    addresses: names(floatingIps.all),
  }
}

/** The same over HTTP. */
export function instanceVerbs(control: InstanceControl & AccountControl): readonly Verb[] {
  return [
    verb({
      name: 'interrupt',
      does: 'IBM takes a spot instance back',
      fields: { id: 'text', notice: 'duration?' },
      run: ({ id, notice }) => control.interrupt(id, notice),
    }),
    verb({
      name: 'stop',
      does: `an instance stops; reason, if not by its user: ${reasonCodes.filter((code) => code.startsWith('stop')).join(', ')}`,
      fields: { id: 'text', reason: 'text?' },
      run: ({ id, reason }) => control.stop(id, reason),
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
      name: 'fail',
      does: 'the status of an instance becomes failed (cannot_start_compute); what runs in it goes on',
      fields: { id: 'text', reason: 'text?' },
      run: ({ id, reason }) => control.fail(id, reason),
    }),
    verb({
      name: 'accept-keys',
      does: 'accepts these API keys only, with commas between them; without "keys": the one in the facts',
      fields: { keys: 'text?' },
      run: ({ keys }) => control.acceptKeys(keys?.split(',').map((key) => key.trim())),
    }),
    verb({
      name: 'expire-tokens',
      does: 'no token that was issued until now is good any more',
      fields: {},
      run: () => control.expireTokens(),
    }),
    verb({
      name: 'add-account',
      does: 'this API key is one of another account from now on, in which there is nothing yet',
      fields: { apikey: 'text' },
      run: ({ apikey }) => void control.addAccount(apikey),
    }),
  ]
}
