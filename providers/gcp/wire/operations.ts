import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import { shapes } from './answers.ts'
import type { Gce } from './client.ts'
import { pages } from './pages.ts'
import { fields, type GceOperation } from './documents.ts'

/** So many ids fit into the address of one call. */
const idsInACall = 40

/** The operations on these instances, by their numeric ids: one call for many of them. */
export async function operationsOn(
  gce: Gce,
  { scope, ids, maxWaitMs }: { scope: Scope; ids: readonly string[]; maxWaitMs?: number },
  ctx: Ctx,
): Promise<ReadonlyMap<string, GceOperation[]>> {
  const all: GceOperation[] = []
  for (let at = 0; at < ids.length; at += idsInACall) {
    const filter = ids
      .slice(at, at + idsInACall)
      .map((id) => `(targetId = ${id})`)
      .join(' OR ')
    const { operations } = await list(gce, { scope, filter, ...(maxWaitMs === undefined ? {} : { maxWaitMs }) }, ctx)
    all.push(...operations)
  }
  return Map.groupBy(all, ({ targetId = '' }) => targetId)
}

/** The operation of the call with this requestId. 'unknown': a zone of the region does not answer. */
export async function operationOfRequest(
  gce: Gce,
  { scope, requestId }: { scope: Scope; requestId: string },
  ctx: Ctx,
): Promise<GceOperation | 'absent' | 'unknown'> {
  const { operations, isWhole } = await list(gce, { scope, filter: `clientOperationId = "${requestId}"` }, ctx)
  const [found] = operations.filter(({ operationType }) => operationType === 'insert')
  return found ?? (isWhole ? 'absent' : 'unknown')
}

async function list(
  gce: Gce,
  asked: { scope: Scope; filter: string; maxWaitMs?: number },
  ctx: Ctx,
): Promise<{ operations: readonly GceOperation[]; isWhole: boolean }> {
  const listing = {
    ...asked,
    collection: 'operations',
    action: 'globalOperations.aggregatedList',
    kind: 'compute#operation',
    shape: shapes.operation,
    fields: fields.operation,
  } as const
  const operations: GceOperation[] = []
  let isWhole = true
  for await (const page of pages<'operations', GceOperation>(gce, listing, ctx)) {
    operations.push(...page.items.map(({ item }) => item))
    isWhole &&= page.unreachable.length === 0
  }
  return { operations, isWhole }
}
