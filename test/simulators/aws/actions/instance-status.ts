import type { Action } from '../http/action.ts'
import { boolean } from '../../kit/http/schema.ts'
import { ids } from '../ids.ts'
import { writeState } from '../instances/instance-xml.ts'
import { stateCodes, type InstanceVersion, type StatusCheck } from '../instances/instance.ts'
import { isShown, type ScheduledEvent } from '../instances/scheduled-event.ts'
import { describe } from '../http/listing.ts'
import { xmlTime, type XmlElement } from '../http/xml.ts'

/** How long the checks of a machine take that has just begun to run. */
const checksMs = 120_000

/** An instance together with the time at which it is looked at. */
interface Checked {
  readonly instance: InstanceVersion
  readonly now: number
}

function summary({ instance, now }: Checked, check: StatusCheck): string {
  if (instance.state !== 'running') return 'not-applicable'
  if (instance.impaired[check] !== undefined) return 'impaired'
  return now - (instance.runningSince ?? now) < checksMs ? 'initializing' : 'ok'
}

function eventsOf({ instance, now }: Checked): readonly ScheduledEvent[] {
  return instance.events.filter((event) => isShown(event, now))
}

const reachability: Readonly<Record<string, string>> = {
  ok: 'passed',
  impaired: 'failed',
  initializing: 'initializing',
}

const describeInstanceStatus = describe<Checked>({
  name: 'DescribeInstanceStatus',
  set: 'instanceStatusSet',
  items: ({ sight, clock }) => sight.look().map((instance) => ({ instance, now: clock.now() })),
  filters: {
    'availability-zone': ({ instance }) => [instance.plan.subnet.zone.name],
    'availability-zone-id': ({ instance }) => [instance.plan.subnet.zone.id],
    'event.code': (one) => eventsOf(one).map(({ code }) => code),
    'event.description': (one) => eventsOf(one).map(({ description }) => description),
    'event.instance-event-id': (one) => eventsOf(one).map(({ id }) => id),
    'event.not-after': (one) => eventsOf(one).map(({ notAfter }) => xmlTime(notAfter)),
    'event.not-before': (one) => eventsOf(one).map(({ notBefore }) => xmlTime(notBefore)),
    // These events cannot be rescheduled.
    'event.not-before-deadline': () => [],
    'instance-state-code': ({ instance }) => [String(stateCodes[instance.state])],
    'instance-state-name': ({ instance }) => [instance.state],
    'instance-status.reachability': (one) => [reachability[summary(one, 'instance')]],
    'instance-status.status': (one) => [summary(one, 'instance')],
    'system-status.reachability': (one) => [reachability[summary(one, 'system')]],
    'system-status.status': (one) => [summary(one, 'system')],
  },
  by: [{ parameter: 'InstanceId', called: 'instancesSet', of: ({ instance }) => instance.id, kind: ids.instance }],
  page: { min: 5, max: 1000 },
  place: ({ instance }) => instance.number,
  also: { IncludeAllInstances: boolean },
  narrow: (all, values) =>
    values['IncludeAllInstances'] === true ? all : all.filter(({ instance }) => instance.state === 'running'),
  write: (page) => page.map(writeStatus),
})

function writeStatus(one: Checked): XmlElement {
  const { instance } = one
  return {
    instanceId: instance.id,
    availabilityZone: instance.plan.subnet.zone.name,
    availabilityZoneId: instance.plan.subnet.zone.id,
    instanceState: writeState(instance.state),
    systemStatus: writeSummary(one, 'system'),
    instanceStatus: writeSummary(one, 'instance'),
    eventsSet: eventsOf(one).map(writeEvent),
  }
}

function writeEvent({ id, code, description, notBefore, notAfter }: ScheduledEvent): XmlElement {
  return {
    instanceEventId: id,
    code,
    description,
    notBefore: xmlTime(notBefore),
    notAfter: xmlTime(notAfter),
  }
}

function writeSummary(one: Checked, check: StatusCheck): XmlElement {
  const status = summary(one, check)
  const since = one.instance.impaired[check]
  const details = {
    name: 'reachability',
    status: reachability[status],
    ...(status === 'impaired' && since !== undefined && { impairedSince: xmlTime(since) }),
  }
  return { status, details: status === 'not-applicable' ? [] : [details] }
}

export const instanceStatusActions: readonly Action[] = [describeInstanceStatus]
