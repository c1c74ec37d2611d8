import { randomUUID } from 'node:crypto'

/** Where an event comes from. */
export interface EventOrigin {
  readonly account: string
  readonly region: string
}

interface EventTerms {
  readonly source: 'aws.ec2' | 'aws.health'
  readonly type: string
  readonly at: number
  readonly resources: readonly string[] | string
  readonly detail: object
}

/** The envelope of EventBridge. Its times have no fractions of a second. */
function envelope({ source, type, at, resources, detail }: EventTerms, { account, region }: EventOrigin) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': type,
    source,
    account,
    time: `${new Date(at).toISOString().slice(0, 19)}Z`,
    region,
    resources,
    detail,
  }
}

export function spotWarning(id: string, at: number, origin: EventOrigin) {
  // AWS writes a zone where a region belongs, and no account.
  const resources = [`arn:aws:ec2:${origin.region}a:instance/${id}`]
  const detail = { 'instance-id': id, 'instance-action': 'terminate' }
  return envelope({ source: 'aws.ec2', type: 'EC2 Spot Instance Interruption Warning', at, resources, detail }, origin)
}

export function rebalance(id: string, at: number, origin: EventOrigin) {
  const resources = [arnOf(id, origin)]
  const detail = { 'instance-id': id }
  return envelope({ source: 'aws.ec2', type: 'EC2 Instance Rebalance Recommendation', at, resources, detail }, origin)
}

/** In the sample of AWS, `resources` is a string. */
export function reservationEnding(id: string, { at, endsAt }: { at: number; endsAt: number }, origin: EventOrigin) {
  const type = 'EC2 Capacity Reservation Instance Interruption Warning'
  const time = `${new Date(endsAt).toISOString().slice(0, 19)}Z`
  const detail = { 'instance-id': id, 'instance-action': 'terminate', 'instance-termination-time': time }
  return envelope({ source: 'aws.ec2', type, at, resources: arnOf(id, origin), detail }, origin)
}

export function stateChange(id: string, { state, at }: { state: string; at: number }, origin: EventOrigin) {
  const resources = [arnOf(id, origin)]
  const detail = { 'instance-id': id, state }
  return envelope({ source: 'aws.ec2', type: 'EC2 Instance State-change Notification', at, resources, detail }, origin)
}

/** Its times are as in RFC 1123. */
export function scheduledChange(
  ids: readonly string[],
  { at, startsAt }: { at: number; startsAt: number },
  origin: EventOrigin,
) {
  const detail = {
    eventArn: `arn:aws:health:${origin.region}::event/EC2/AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED/${randomUUID()}`,
    service: 'EC2',
    eventTypeCode: 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED',
    eventTypeCategory: 'scheduledChange',
    startTime: new Date(startsAt).toUTCString(),
    endTime: new Date(startsAt).toUTCString(),
    eventDescription: [{ language: 'en_US', latestDescription: 'The instance is scheduled for retirement.' }],
    affectedEntities: ids.map((entityValue) => ({ entityValue })),
  }
  return envelope({ source: 'aws.health', type: 'AWS Health Event', at, resources: ids, detail }, origin)
}

function arnOf(id: string, { account, region }: EventOrigin): string {
  return `arn:aws:ec2:${region}:${account}:instance/${id}`
}
