import {
  InstanceFinder,
  type InstanceView,
  type LifecycleControl,
  type Remains,
} from '../../kit/control/instance-control.ts'
import type { Delays } from '../../kit/options.ts'
import { optionalOneOf, verb, verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Account } from '../account.ts'
import { disksOf } from '../actions/volumes.ts'
import { isOver, primaryInterface, privateDnsName, type Instance, type StatusCheck } from '../instances/instance.ts'
import { reasons } from '../instances/lifecycle.ts'
import { eventCodes, eventEnds, type EventCode, type EventEnd } from '../instances/scheduled-event.ts'
import { spotNotices, usualNotice, type SpotNotice } from '../instances/spot-request.ts'
import type { AccessKeys } from '../http/signature.ts'
import { xmlTime } from '../http/xml.ts'

interface AwsInstanceView extends InstanceView {
  readonly privateDnsName: string
  readonly clientToken: string
}

type Left = 'interfaces' | 'disks'

/** What happens to instances from outside of the API, and to access keys. */
export interface InstanceControl extends LifecycleControl<AwsInstanceView, Left> {
  /** When the notice of its interruption says that it ends. Its metadata tell it. Undefined: there is no notice. */
  takenBackAt(id: string): number | undefined
  /**
   * Its spot request shows this status code, and two minutes later, or when it is said, the instance ends. Left out:
   * the code that EC2 shows when it takes an instance back.
   */
  notice(id: string, terms?: NoticeTerms): void
  /** The instance stops, for this reason; left out: a user stopped it or, where it is spot, its guest did. */
  stop(id: string, reason?: string): void
  /** Somebody terminates it; another reason, such as Server.InternalError, for what EC2 does by itself. */
  terminate(id: string, reason?: string): void
  /** EC2 will do this to it, two weeks later or when it is said. Left out: it retires the instance. */
  scheduleEvent(id: string, terms?: EventTerms): void
  /** What EC2 was to do to it is over; left out: EC2 has canceled it. */
  endEvents(id: string, how?: EventEnd): void
  /** What `notice` said holds no longer: the request is fulfilled as before, and the instance runs on. */
  takeBackNotice(id: string): void
  /** One of EC2's own checks of it fails, as DescribeInstanceStatus says. `forMs`: for so long already. */
  impair(id: string, check?: StatusCheck, forMs?: number): void
  /** Its checks pass again. */
  repair(id: string): void
  /** From now on only these keys are accepted, and their signatures checked; undefined: any. */
  acceptKeys(keys: AccessKeys): void
}

export interface NoticeTerms {
  readonly code?: SpotNotice | undefined
  readonly afterMs?: number | undefined
}

export interface EventTerms {
  readonly code?: EventCode | undefined
  readonly afterMs?: number | undefined
}

const usualNoticeMs = 120_000
const usualEventMs = 14 * 24 * 3_600_000

interface Controlled {
  readonly account: Account
  readonly delays: Delays
  readonly setKeys: (keys: AccessKeys) => void
}

const up = ['pending', 'running'] as const
const there = [...up, 'stopping', 'stopped'] as const

export function instanceControl({ account, delays, setKeys }: Controlled): InstanceControl {
  const { instances, lifecycle, queues, world } = account
  const notice = (instance: Instance, code: SpotNotice, afterMs: number) => {
    lifecycle.notice(instance, code, afterMs)
    // EventBridge tells of an end that is to come.
    if (spotNotices[code].ends && afterMs > 0) queues.warn(instance)
  }
  const found = new InstanceFinder<Instance, Instance['state']>({
    cloud: 'EC2',
    find(id) {
      const instance = instances.get(id)
      return instance?.vanished ? undefined : instance
    },
    stateOf: ({ state }) => state,
    isSpot: ({ spot }) => spot !== undefined,
  })
  return {
    interrupt: (id, noticeMs = delays.noticeMs) => notice(found.spotIn(up, id), usualNotice, noticeMs),
    notice: (id, { code = usualNotice, afterMs = usualNoticeMs } = {}) => notice(found.spotIn(up, id), code, afterMs),
    stop(id, reason) {
      const instance = found.in(up, id)
      // A user cannot stop a one-time spot instance; its guest can shut it down.
      const usual = instance.spot ? reasons.guest : reasons.user
      lifecycle.stop(instance, reason === undefined ? usual : named(reason))
    },
    terminate: (id, reason) =>
      lifecycle.terminate(found.in(there, id), reason === undefined ? reasons.user : named(reason)),
    vanish: (id) => lifecycle.vanish(found.any(id)),
    scheduleEvent: (id, { code = 'instance-retirement', afterMs = usualEventMs } = {}) =>
      lifecycle.schedule(found.in(up, id), code, afterMs),
    endEvents: (id, how = 'Canceled') => lifecycle.endEvents(found.in(up, id), how),
    takeBackNotice: (id) => lifecycle.takeBackNotice(found.spotIn(['running'], id)),
    impair: (id, check = 'system', forMs = 0) => lifecycle.impair(found.in(['running'], id), check, forMs),
    repair: (id) => lifecycle.repair(found.in(['running'], id)),
    acceptKeys: setKeys,
    takenBackAt: (id) => lifecycle.takenBackAt(found.any(id)),
    instances: () => instances.visible().map((instance) => view(instance, world.region)),
    remains: () => remains(account),
  }
}

function named(code: string) {
  return { code, message: `${code}: ${code.replace(/^\w+\./, '').replace(/(?<=[a-z])([A-Z])/g, ' $1')}` }
}

function view(instance: Instance, region: string): AwsInstanceView {
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

function remains({ instances }: Account): Remains<Left> {
  const all = instances.histories().toArray()
  const there = all.filter(({ latest: { vanished, state } }) => !vanished && state !== 'terminated')
  return {
    instances: there.map(({ latest }) => latest.id),
    interfaces: there.flatMap(({ latest }) => latest.interfaces.map(({ id }) => id)),
    disks: all.flatMap(({ latest }) => disksOf(latest).map(({ volume }) => volume.id)),
  }
}

/** The same over HTTP. */
export function instanceVerbs(control: InstanceControl): readonly Verb[] {
  const calls = verbsOf(control)
  return [
    calls('interrupt', 'EC2 takes a spot instance back', ['id', 'text'], ['notice', 'duration?']),
    calls('stop', 'an instance stops, as when its guest shuts down', ['id', 'text'], ['reason', 'text?']),
    calls('terminate', 'somebody terminates an instance', ['id', 'text'], ['reason', 'text?']),
    calls('vanish', 'an instance is gone without a trace', ['id', 'text']),
    calls(
      'impair',
      'a check of EC2 fails: system (the host; left out, this one) or instance (the guest); "for": for so long already',
      ['id', 'text'],
      ['check', optionalOneOf(['system', 'instance'])],
      ['for', 'duration?'],
    ),
    calls('takeBackNotice', 'the spot request is fulfilled as before, and the instance runs on', ['id', 'text']),
    calls('repair', 'the checks of EC2 pass again', ['id', 'text']),
    verb({
      name: 'notice',
      does: 'the spot request shows a status code; the instance ends two minutes later, or when "after" says',
      fields: { id: 'text', code: optionalOneOf(Object.keys(spotNotices) as SpotNotice[]), after: 'duration?' },
      run: ({ id, code, after }) => control.notice(id, { code, afterMs: after }),
    }),
    verb({
      name: 'schedule-event',
      does: 'EC2 will do something to an instance, such as retire it: in two weeks, or when "after" says',
      fields: { id: 'text', code: optionalOneOf(Object.keys(eventCodes) as EventCode[]), after: 'duration?' },
      run: ({ id, code, after }) => control.scheduleEvent(id, { code, afterMs: after }),
    }),
    calls('endEvents', 'scheduled events are over', ['id', 'text'], ['how', optionalOneOf(eventEnds)]),
    calls('acceptKeys', 'accepts these access keys only and checks their signatures; without "keys": any', [
      'keys',
      'texts?',
    ]),
  ]
}
