import {
  DescribeInstanceStatusCommand,
  type DescribeInstanceStatusCommandOutput,
  type EC2Client,
  type EventCode,
  type Filter,
  type InstanceStatus,
  type InstanceStatusEvent,
} from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import type { Notice } from '../../../api/notice.ts'
import { pollKey, type Scope } from '../../../api/scope.ts'
import type { Impairment, ShownNotices, ShownPage } from '../../notices.ts'
import { foreignAnswer } from '../../shared/foreign-answer.ts'
import { instantOf } from '../../shared/instant.ts'
import type { Ec2 } from '../wire/client.ts'
import { pages } from '../wire/pages.ts'

const source = 'Status'

/** EC2 schedules events days ahead. */
const everyMs = 5 * 60_000

/** The largest that EC2 allows. */
const mostOnAPage = 1_000

/** All that EC2 schedules: each of them stops or restarts the instance, or cuts its network or power. */
const codes: readonly EventCode[] = [
  'instance-reboot',
  'instance-retirement',
  'instance-stop',
  'system-maintenance',
  'system-reboot',
]

/** EC2 shows an event for up to a week after its end, with one of these in front of its description. */
const endMarks = ['[Completed]', '[Canceled]'] as const

/** A check may fail for a moment. One that fails for so long does not repair itself soon. */
const impairedForMs = 120_000

/** Up to so many pages one list without a filter takes no more calls than a list for each of the two filters. */
const mostPages = 2

/**
 * What EC2 says of the health of running instances: the events that it has scheduled, such as a restart or the
 * retirement of the host, and its own check of the host. EC2 cannot filter them by tags, so those of all instances of
 * the account and region come. They count only with an instance of ours that runs, which the list of instances has
 * shown.
 */
export function statusEvents(ec2: Ec2): ShownNotices {
  const large = new Set<string>()
  return { source, everyMs, concerns: () => true, list: (scope, ctx) => list(scope, { ec2, large }, ctx) }
}

interface Lister {
  readonly ec2: Ec2
  /** Accounts and regions with too many instances to list them all. There are no more of them than fleets. */
  readonly large: Set<string>
}

/**
 * EC2 applies all filters of a call together, so an event or a failed check can only be asked for by two lists. One
 * list of all is a single call, unless other people have many instances there.
 */
async function* list(scope: Scope, { ec2, large }: Lister, ctx: Ctx): AsyncIterable<ShownPage> {
  const place = pollKey(scope)
  if (large.has(place)) {
    yield* pagesOf(scope, { ec2, Filters: [{ Name: 'event.code', Values: [...codes] }] }, ctx)
    yield* pagesOf(scope, { ec2, Filters: [{ Name: 'system-status.status', Values: ['impaired'] }] }, ctx)
    return
  }
  let count = 0
  for await (const page of pagesOf(scope, { ec2 }, ctx)) {
    if (++count > mostPages) large.add(place)
    yield page
  }
}

interface Listed {
  readonly ec2: Ec2
  readonly Filters?: Filter[]
}

async function* pagesOf(scope: Scope, { ec2, ...filtered }: Listed, ctx: Ctx): AsyncIterable<ShownPage> {
  const input = { ...filtered, IncludeAllInstances: false, MaxResults: mostOnAPage }
  const listing = {
    scope,
    action: 'DescribeInstanceStatus',
    // A poller holds no worker while it waits.
    maxWaitMs: Infinity,
    retriesPages: true,
    read: (answer: DescribeInstanceStatusCommandOutput) => statusIn(answer, ctx.clock.now()),
    send: (client: EC2Client, options: { abortSignal: AbortSignal }, NextToken: string | undefined) =>
      client.send(new DescribeInstanceStatusCommand({ ...input, ...(NextToken ? { NextToken } : {}) }), options),
  } as const
  for await (const { read } of pages(ec2, listing, ctx)) yield read
}

/** What a page says. An answer without the element is no empty page: something else than EC2 answered. */
export function statusIn(
  { InstanceStatuses }: Pick<DescribeInstanceStatusCommandOutput, 'InstanceStatuses'>,
  now: number,
): Required<ShownPage> {
  if (!InstanceStatuses) {
    throw foreignAnswer('transient', 'The answer to DescribeInstanceStatus does not come from EC2.')
  }
  return {
    notices: InstanceStatuses.flatMap((status) => noticesOf(status, isAhead, now)),
    over: InstanceStatuses.flatMap((status) => noticesOf(status, isOver, now)),
    impaired: InstanceStatuses.flatMap((status) => impairmentOf(status, now) ?? []),
  }
}

/** EC2 does not say since when an event is scheduled. */
function noticesOf(
  { InstanceId: instance, Events = [] }: InstanceStatus,
  isMeant: (event: InstanceStatusEvent) => boolean,
  at: number,
): Notice[] {
  if (!instance) return []
  return Events.filter(isMeant).flatMap(({ NotBefore }) => {
    const deadline = instantOf(NotBefore)
    // A decision without a deadline would stay for ever if EC2 does not show how the event ended.
    return deadline === undefined ? [] : [{ instance, kind: 'Maintenance', at, deadline, source }]
  })
}

function isKnown({ Code }: InstanceStatusEvent): boolean {
  return Code !== undefined && codes.includes(Code)
}

function hasEnded({ Description = '' }: InstanceStatusEvent): boolean {
  return endMarks.some((mark) => Description.startsWith(mark))
}

function isAhead(event: InstanceStatusEvent): boolean {
  return isKnown(event) && !hasEnded(event)
}

function isOver(event: InstanceStatusEvent): boolean {
  return isKnown(event) && hasEnded(event)
}

/** The check of the host. That of the instance itself fails for what its users do, too, and Kubernetes sees it. */
function impairmentOf({ InstanceId: instance, SystemStatus }: InstanceStatus, now: number): Impairment | undefined {
  if (!instance || SystemStatus?.Status !== 'impaired') return undefined
  const times = (SystemStatus.Details ?? []).flatMap(({ ImpairedSince }) => instantOf(ImpairedSince) ?? [])
  const since = Math.min(...times)
  return now - since >= impairedForMs && Number.isFinite(since) ? { instance, since } : undefined
}
