import type { SightControl } from '../kit/sight-control.ts'
import { ControlError, verb, type Verb } from '../kit/control.ts'
import type { FaultControl } from '../kit/fault-control.ts'
import type { RecordControl } from '../kit/record-control.ts'
import type { Account } from './account.ts'
import { disksOf } from './actions/volumes.ts'
import type { BucketControl } from '../kit/bucket-control.ts'
import type { BucketTable } from './buckets.ts'
import { isOver, primaryInterface, privateDnsName, type Instance, type StatusCheck } from './instance.ts'
import { reasons, type Delays } from './lifecycle.ts'
import type { Ec2Invisible } from './sight.ts'
import type { AccessKeys } from './signature.ts'
import type { SupplyControl } from './supply-control.ts'
import { xmlTime } from './xml.ts'

/** An instance as people want to see it. */
export interface InstanceView {
  readonly id: string
  readonly state: string
  readonly reason: string | undefined
  readonly instanceType: string
  readonly zone: string
  readonly market: 'spot' | 'on-demand'
  readonly privateIp: string
  readonly privateDnsName: string
  readonly clientToken: string
  readonly tags: Readonly<Record<string, string>>
  readonly launchedAt: string
}

/** Ids of all that costs money or stands in the way. */
export interface Remains {
  readonly instances: readonly string[]
  readonly interfaces: readonly string[]
  readonly disks: readonly string[]
}

/** What happens to instances from outside of the API. */
export interface InstanceControl {
  /** EC2 takes a spot instance back: the notice, then shutting-down and terminated. */
  interrupt(id: string, noticeMs?: number): void
  /** The instance stops, for this reason; left out: a user stopped it or, where it is spot, its guest did. */
  stop(id: string, reason?: string): void
  /** Somebody terminates it; another reason, such as Server.InternalError, for what EC2 does by itself. */
  terminate(id: string, reason?: string): void
  /** It is gone at once and without a trace. */
  vanish(id: string): void
  /** One of EC2's own checks of it fails from now on, as DescribeInstanceStatus says. */
  impair(id: string, check?: StatusCheck): void
  /** Its checks pass again. */
  repair(id: string): void
  /** From now on only these keys are accepted, and their signatures checked; undefined: any. */
  acceptKeys(keys: AccessKeys): void
  /** Every instance that EC2 would still show. */
  instances(): readonly InstanceView[]
  /** What is left: everything empty when nothing leaked. */
  remains(): Remains
}

/** What happens to access keys. */
export interface AccountControl {
  /** From now on this key is one of another account, in which there is nothing yet; answers with that account's id. */
  addAccount(accessKey: string): string
}

export type AwsControl = InstanceControl &
  AccountControl &
  SupplyControl &
  SightControl<Ec2Invisible> &
  BucketControl<BucketTable> &
  FaultControl &
  RecordControl

interface Controlled {
  readonly account: Account
  readonly delays: Delays
  readonly setKeys: (keys: AccessKeys) => void
}

export function instanceControl({ account, delays, setKeys }: Controlled): InstanceControl {
  const { instances, lifecycle, clock, world } = account
  const inState = (id: string, states: readonly Instance['state'][]): Instance => {
    const instance = instances.get(id)
    if (!instance || instance.vanished) {
      throw new ControlError(`There is no instance ${id}; GET /_control/instances lists them.`)
    }
    if (states.includes(instance.state)) return instance
    throw new ControlError(`Instance ${id} is ${instance.state}; it must be ${states.join(' or ')} for this.`)
  }
  return {
    interrupt(id, noticeMs = delays.noticeMs) {
      const instance = inState(id, ['pending', 'running'])
      if (!instance.spot) {
        throw new ControlError(
          `Instance ${id} is not a spot instance: EC2 does not take it back. Stop or terminate it.`,
        )
      }
      lifecycle.interrupt(instance, noticeMs)
    },
    stop(id, reason) {
      const instance = inState(id, ['pending', 'running'])
      // A user cannot stop a one-time spot instance; its guest can shut it down.
      const usual = instance.spot ? reasons.guest : reasons.user
      lifecycle.stop(instance, reason === undefined ? usual : named(reason))
    },
    terminate: (id, reason) =>
      lifecycle.terminate(
        inState(id, ['pending', 'running', 'stopping', 'stopped']),
        reason === undefined ? reasons.user : named(reason),
      ),
    vanish: (id) =>
      lifecycle.vanish(inState(id, ['pending', 'running', 'stopping', 'stopped', 'shutting-down', 'terminated'])),
    impair: (id, check = 'system') => lifecycle.impair(inState(id, ['running']), check),
    repair: (id) => lifecycle.repair(inState(id, ['running'])),
    acceptKeys: setKeys,
    instances: () => instances.visible(clock.now()).map((instance) => view(instance, world.region)),
    remains: () => remains(account),
  }
}

function named(code: string) {
  return { code, message: `${code}: ${code.replace(/^\w+\./, '').replace(/(?<=[a-z])([A-Z])/g, ' $1')}` }
}

function view(instance: Instance, region: string): InstanceView {
  const { plan } = instance
  return {
    id: instance.id,
    state: instance.state,
    reason: isOver(instance) || instance.state !== 'pending' ? instance.reason?.code : undefined,
    instanceType: plan.type.name,
    zone: plan.subnet.zone.name,
    market: instance.spot ? 'spot' : 'on-demand',
    privateIp: primaryInterface(instance).privateAddress,
    privateDnsName: privateDnsName(instance, region),
    clientToken: plan.clientToken,
    tags: Object.fromEntries(instance.tags.map(({ key, value }) => [key, value])),
    launchedAt: xmlTime(instance.launchedAt),
  }
}

function remains({ instances }: Account): Remains {
  const all = instances.histories().toArray()
  const there = all.filter(({ latest: { vanished, state } }) => !vanished && state !== 'terminated')
  return {
    instances: there.map(({ latest }) => latest.id),
    interfaces: there.flatMap(({ latest }) => latest.interfaces.map(({ id }) => id)),
    disks: all.flatMap(({ latest }) => disksOf(latest).map(({ volume }) => volume.id)),
  }
}

/** The same over HTTP. */
export function instanceVerbs(control: InstanceControl & AccountControl): readonly Verb[] {
  return [
    verb({
      name: 'interrupt',
      does: 'EC2 takes a spot instance back',
      fields: { id: 'text', notice: 'duration?' },
      run: ({ id, notice }) => control.interrupt(id, notice),
    }),
    verb({
      name: 'stop',
      does: 'an instance stops, as when its guest shuts down',
      fields: { id: 'text', reason: 'text?' },
      run: ({ id, reason }) => control.stop(id, reason),
    }),
    verb({
      name: 'terminate',
      does: 'somebody terminates an instance',
      fields: { id: 'text', reason: 'text?' },
      run: ({ id, reason }) => control.terminate(id, reason),
    }),
    verb({
      name: 'vanish',
      does: 'an instance is gone without a trace',
      fields: { id: 'text' },
      run: ({ id }) => control.vanish(id),
    }),
    verb({
      name: 'impair',
      does: 'a check of EC2 fails from now on: system (the host; left out, this one) or instance (the guest)',
      fields: { id: 'text', check: 'text?' },
      run: ({ id, check }) => control.impair(id, checkCalled(check)),
    }),
    verb({
      name: 'repair',
      does: 'the checks of EC2 pass again',
      fields: { id: 'text' },
      run: ({ id }) => control.repair(id),
    }),
    verb({
      name: 'accept-keys',
      does: 'accepts these access keys only and checks their signatures; without "keys": any',
      fields: { keys: 'texts?' },
      run: ({ keys }) => control.acceptKeys(keys),
    }),
    verb({
      name: 'add-account',
      does: 'this access key is one of another account from now on, in which there is nothing yet',
      fields: { key: 'text' },
      run: ({ key }) => void control.addAccount(key),
    }),
  ]
}

function checkCalled(check: string | undefined): StatusCheck | undefined {
  if (check === undefined || check === 'system' || check === 'instance') return check
  throw new ControlError('"check" must be "system" or "instance".')
}
