import {
  DescribeInstanceStatusCommand,
  type DescribeInstanceStatusCommandOutput,
  type EC2Client,
  type EventCode,
  type InstanceStatus,
  type InstanceStatusEvent,
} from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import type { Notice } from '../../../api/notice.ts'
import type { Scope } from '../../../api/scope.ts'
import type { ShownNotices } from '../../notices.ts'
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

/**
 * The events that EC2 has scheduled for running instances, such as a restart or the retirement of the host. EC2 cannot
 * filter them by tags, so events of all instances of the account and region come. A notice counts only with an instance
 * of ours that runs, which the list of instances has shown.
 */
export function statusEvents(ec2: Ec2): ShownNotices {
  return { source, everyMs, concerns: () => true, list: (scope, ctx) => list(scope, ec2, ctx) }
}

async function* list(scope: Scope, ec2: Ec2, ctx: Ctx): AsyncIterable<readonly Notice[]> {
  const input = {
    Filters: [{ Name: 'event.code', Values: [...codes] }],
    IncludeAllInstances: false,
    MaxResults: mostOnAPage,
  }
  const listing = {
    scope,
    action: 'DescribeInstanceStatus',
    // A poller holds no worker while it waits.
    maxWaitMs: Infinity,
    retriesPages: true,
    read: (answer: DescribeInstanceStatusCommandOutput) => eventsIn(answer, ctx.clock.now()),
    send: (client: EC2Client, options: { abortSignal: AbortSignal }, NextToken: string | undefined) =>
      client.send(new DescribeInstanceStatusCommand({ ...input, ...(NextToken ? { NextToken } : {}) }), options),
  } as const
  for await (const { read } of pages(ec2, listing, ctx)) yield read
}

/** The notices of a page. An answer without the element is no empty page: something else than EC2 answered. */
export function eventsIn(
  { InstanceStatuses }: Pick<DescribeInstanceStatusCommandOutput, 'InstanceStatuses'>,
  now: number,
): Notice[] {
  if (InstanceStatuses) return InstanceStatuses.flatMap((status) => noticesOf(status, now))
  throw foreignAnswer('transient', 'The answer to DescribeInstanceStatus does not come from EC2.')
}

/** EC2 does not say since when an event is scheduled. */
function noticesOf({ InstanceId: instance, Events = [] }: InstanceStatus, at: number): Notice[] {
  if (!instance) return []
  return Events.filter(isAhead).flatMap(({ NotBefore }) => {
    const deadline = instantOf(NotBefore)
    // A decision without a deadline would stay for ever after the event was canceled.
    return deadline === undefined ? [] : [{ instance, kind: 'Maintenance', at, deadline, source }]
  })
}

function isAhead({ Code, Description = '' }: InstanceStatusEvent): boolean {
  return Code !== undefined && codes.includes(Code) && !endMarks.some((mark) => Description.startsWith(mark))
}
