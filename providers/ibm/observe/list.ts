import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import type { InstancePage } from '../../instances.ts'
import { pageOf, readInstance } from '../wire/answers.ts'
import type { Vpc } from '../wire/client.ts'
import { pages } from '../wire/pages.ts'
import { readTag } from './ownership.ts'
import { toInstance } from './state.ts'

/**
 * Everything in the region, of which ours is picked out by name: IBM can filter by none of our tags, and one fleet
 * serves every VPC and resource group of the account. A list for each availability class would cost a page more, and
 * would lose an instance whose class is changed.
 */
export async function* list(scope: Scope, { vpc }: { vpc: Vpc }, ctx: Ctx): AsyncIterable<InstancePage> {
  const listing = {
    scope,
    action: 'list_instances',
    path: ['instances'],
    read: pageOf('instances', readInstance),
    // A poller holds no worker while it waits.
    maxWaitMs: Infinity,
    retriesPages: true,
  } as const
  for await (const page of pages(vpc, listing, ctx)) {
    const complete = page.next === undefined
    const items = page.items.filter((one) => readTag(one)).map(toInstance)
    yield { items, complete, account: complete ? await vpc.accountOf(scope, ctx) : undefined }
  }
}
