import { DescribeInstancesCommand, type EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import type { InstancePage } from '../../instances.ts'
import type { Ec2 } from '../wire/client.ts'
import { pages } from '../wire/pages.ts'
import { ownerTag } from './ownership.ts'
import { instancesIn } from './state.ts'

/** A page of a thousand is parsed in one piece of 10 MB; four pages cost three more calls. */
const mostOnAPage = 250

/** One list for all clusters of the scope. Never without a filter: EC2 has a smaller bucket for those. */
export async function* list(scope: Scope, { ec2 }: { ec2: Ec2 }, ctx: Ctx): AsyncIterable<InstancePage> {
  const input = { Filters: [{ Name: 'tag-key', Values: [ownerTag] }], MaxResults: mostOnAPage }
  const listing = {
    scope,
    action: 'DescribeInstances',
    // A poller holds no worker while it waits.
    maxWaitMs: Infinity,
    retriesPages: true,
    read: instancesIn,
    send: (client: EC2Client, options: { abortSignal: AbortSignal }, NextToken: string | undefined) =>
      client.send(new DescribeInstancesCommand({ ...input, ...(NextToken ? { NextToken } : {}) }), options),
  } as const
  let account: string | undefined
  for await (const { read: items, isLast } of pages(ec2, listing, ctx)) {
    account ??= items.find((item) => item.account)?.account
    await ec2.answeredBy(account, scope, ctx)
    if (isLast) account ??= await ec2.accountOf(scope, ctx)
    yield { items, complete: isLast, account }
  }
}
