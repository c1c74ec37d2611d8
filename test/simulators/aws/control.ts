import { ControlError, verb, type Verb } from '../common/control.ts'
import type { FaultControl } from '../common/fault-control.ts'
import type { Account } from './account.ts'
import type { CapacityHole } from './capacity.ts'
import { isOver, primaryInterface, privateDnsName, type Instance } from './instance.ts'
import { reasons, type Delays } from './lifecycle.ts'
import type { AccessKeys } from './signature.ts'
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

/** What happens to instances from outside of the API, and what EC2 has to give. */
export interface InstanceControl {
  /** EC2 takes a spot instance back: the notice, then shutting-down and terminated. */
  interrupt(id: string, noticeMs?: number): void
  /** The instance stops, for this reason; left out: a user stopped it or, where it is spot, its guest did. */
  stop(id: string, reason?: string): void
  /** Somebody terminates it; another reason, such as Server.InternalError, for what EC2 does by itself. */
  terminate(id: string, reason?: string): void
  /** It is gone at once and without a trace. */
  vanish(id: string): void
  /** Launches of this get InsufficientInstanceCapacity; of everything, when nothing is said. */
  noCapacity(hole?: CapacityHole): void
  capacityBack(hole?: CapacityHole): void
  /** From now on only these keys are accepted, and their signatures checked; undefined: any. */
  acceptKeys(keys: AccessKeys): void
  /** Every instance that EC2 would still show. */
  instances(): readonly InstanceView[]
}

export type AwsControl = InstanceControl & FaultControl

interface Controlled {
  readonly account: Account
  readonly delays: Delays
  readonly setKeys: (keys: AccessKeys) => void
}

export function instanceControl({ account, delays, setKeys }: Controlled): InstanceControl {
  const { instances, lifecycle, capacity, clock, world } = account
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
    noCapacity: (hole = {}) => capacity.takeAway(hole),
    capacityBack: (hole = {}) => capacity.giveBack(hole),
    acceptKeys: setKeys,
    instances: () => instances.visible(clock.now()).map((instance) => view(instance, world.region)),
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

/** The same over HTTP. */
export function instanceVerbs(control: InstanceControl, now: () => number): readonly Verb[] {
  const market = (text: string | undefined) => {
    if (text === undefined || text === 'spot' || text === 'on-demand') return text
    throw new ControlError('"market" must be "spot" or "on-demand".')
  }
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
      name: 'no-capacity',
      does: 'EC2 has none of this to give, for ever or for a while',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?', for: 'duration?' },
      run: ({ for: lasts, market: given, ...hole }) =>
        control.noCapacity(compact({ ...hole, market: market(given), until: lasts && now() + lasts })),
    }),
    verb({
      name: 'capacity-back',
      does: 'EC2 has this again',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?' },
      run: ({ market: given, ...hole }) => control.capacityBack(compact({ ...hole, market: market(given) })),
    }),
    verb({
      name: 'accept-keys',
      does: 'accepts these access keys only and checks their signatures; without "keys": any',
      fields: { keys: 'texts?' },
      run: ({ keys }) => control.acceptKeys(keys),
    }),
  ]
}

type Compact<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function compact<T extends object>(given: T): Compact<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Compact<T>
}
