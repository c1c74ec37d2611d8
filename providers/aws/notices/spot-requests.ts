import {
  DescribeSpotInstanceRequestsCommand,
  type DescribeSpotInstanceRequestsCommandOutput,
  type EC2Client,
  type SpotInstanceRequest,
} from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import type { Notice } from '../../../api/notice.ts'
import type { Scope } from '../../../api/scope.ts'
import { inTable } from '../../errors.ts'
import type { ShownNotices, ShownPage } from '../../notices.ts'
import { foreignAnswer } from '../../shared/foreign-answer.ts'
import { instantOf } from '../../shared/instant.ts'
import { ownerTag } from '../observe/ownership.ts'
import type { Ec2 } from '../wire/client.ts'
import { pages } from '../wire/pages.ts'
import { codesWithNotice, spotCodes } from './spot-codes.ts'

/** EC2 documents that an instance runs for so long after its request has the code of an interruption. */
const noticeMs = 120_000

const source = 'SpotRequests'

/** A request takes 2 kB, and a page is parsed in one piece. */
const mostOnAPage = 500

/**
 * The notices that EC2 shows as the status of spot requests. EC2 keeps a request for four hours after the end, so most
 * of these notices are of instances that have ended.
 *
 * The answer names no account. Three things keep another account out. EC2 shows an account its own requests only; a
 * call for a pinned account is sent with credentials of that account only; and a notice counts only with an instance of
 * ours that runs, which the list of instances has shown.
 */
export function spotRequests(ec2: Ec2): ShownNotices {
  return {
    source,
    concerns: ({ capacityType }) => capacityType === 'Spot',
    list: (scope, ctx) => list(scope, ec2, ctx),
  }
}

async function* list(scope: Scope, ec2: Ec2, ctx: Ctx): AsyncIterable<ShownPage> {
  const Filters = [
    { Name: 'tag-key', Values: [ownerTag] },
    { Name: 'status-code', Values: [...codesWithNotice] },
  ]
  const input = { Filters, MaxResults: mostOnAPage }
  const listing = {
    scope,
    action: 'DescribeSpotInstanceRequests',
    // A poller holds no worker while it waits.
    maxWaitMs: Infinity,
    retriesPages: true,
    read: noticesIn,
    send: (client: EC2Client, options: { abortSignal: AbortSignal }, NextToken: string | undefined) =>
      client.send(new DescribeSpotInstanceRequestsCommand({ ...input, ...(NextToken ? { NextToken } : {}) }), options),
  } as const
  for await (const { read } of pages(ec2, listing, ctx)) yield { notices: read }
}

/** The notices of a page. An answer without the element is no empty page: something else than EC2 answered. */
export function noticesIn({
  SpotInstanceRequests,
}: Pick<DescribeSpotInstanceRequestsCommandOutput, 'SpotInstanceRequests'>): Notice[] {
  if (SpotInstanceRequests) return SpotInstanceRequests.flatMap((request) => noticeOf(request) ?? [])
  throw foreignAnswer('transient', 'The answer to DescribeSpotInstanceRequests does not come from EC2.')
}

/** Undefined: the request is no notice, or lacks what a notice needs. One such request hides no other. */
export function noticeOf({ InstanceId, Status }: SpotInstanceRequest): Notice | undefined {
  const kind = inTable(spotCodes, Status?.Code ?? '') ?? 'none'
  const at = instantOf(Status?.UpdateTime)
  if (kind === 'none' || at === undefined || !InstanceId) return undefined
  return { instance: InstanceId, kind, at, deadline: at + noticeMs, source }
}
