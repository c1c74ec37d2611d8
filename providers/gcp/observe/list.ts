import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { InstancePage } from '../../instances.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Scope } from '../../../api/scope.ts'
import { shapes } from '../wire/answers.ts'
import type { Gce } from '../wire/client.ts'
import { explain } from './explain.ts'
import type { InstanceHistory } from './history.ts'
import { pages } from '../wire/pages.ts'
import { operationsOn } from '../wire/operations.ts'
import { ownerLabel } from './ownership.ts'
import { fields, type GceInstance, type GceOperation } from '../wire/documents.ts'
import { partsOfId, toInstance, type GcpInstance } from './state.ts'

interface Sources {
  readonly gce: Gce
  readonly history: InstanceHistory
}

/**
 * Every instance of ours in the region, and on the last page those that have ended. GCE's list does not tell why an
 * instance ended or is missing. One call asks the operations about all of those, and only while there are any.
 */
export async function* list(scope: Scope, { gce, history }: Sources, ctx: Ctx): AsyncIterable<InstancePage> {
  const begunAt = ctx.clock.monotonic()
  const shown = new Map<string, GcpInstance>()
  const open: Instance[] = []
  const unreachable = new Set<string>()
  for await (const page of pages<'instances', GceInstance>(gce, listingOf(scope), ctx)) {
    for (const zone of page.unreachable) unreachable.add(zone)
    const now = ctx.clock.monotonic()
    const items: Instance[] = []
    for (const { item } of page.items) {
      const instance = toInstance(item, scope.account ?? '')
      shown.set(instance.id, instance)
      if (history.isOpen(instance, now)) open.push(instance)
      else items.push(history.described(instance, now))
    }
    yield { items, complete: false }
  }
  const now = ctx.clock.monotonic()
  const isUnreachable = (zone: string) => unreachable.has(zone) || unreachable.has('')
  const missing = history.missing(new Set(shown.keys()), { begunAt, now, isUnreachable })
  const operations = await operationsFor([...open.map(({ id }) => id), ...missing], { gce, scope }, ctx)
  const explained = (id: string) => explain(operations.get(partsOfId(id).numeric) ?? [])
  const items = [
    ...open.map((instance) => history.explain(instance, explained(instance.id), now)),
    ...missing.flatMap((id) => history.explainMissing(id, explained(id), now) ?? []),
  ]
  const told = new Set(items.map(({ id }) => id))
  const complete = unreachable.size === 0
  const ended = history.listed(shown, { isWhole: complete, now }).filter(({ id }) => !told.has(id))
  const { account } = scope
  yield {
    items: [...items, ...ended],
    complete,
    account,
    ...(complete || unreachable.has('') ? {} : { unreachableZones: [...unreachable] }),
  }
}

function listingOf(scope: Scope) {
  return {
    scope,
    collection: 'instances',
    action: 'instances.aggregatedList',
    kind: 'compute#instance',
    shape: shapes.instance,
    filter: `labels.${ownerLabel}:*`,
    fields: fields.instance,
    maxWaitMs: Infinity,
    retriesPages: true,
  } as const
}

/** They only explain: a list without them is complete all the same, and the next list asks again. */
async function operationsFor(
  ids: readonly string[],
  { gce, scope }: { gce: Gce; scope: Scope },
  ctx: Ctx,
): Promise<ReadonlyMap<string, GceOperation[]>> {
  if (ids.length === 0) return new Map()
  const numeric = ids.map((id) => partsOfId(id).numeric)
  try {
    return await operationsOn(gce, { scope, ids: numeric, maxWaitMs: Infinity }, ctx)
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || ctx.signal.aborted) throw thrown
    ctx.log.warn('GCE does not tell why instances ended', { code: thrown.code, kind: thrown.kind, count: ids.length })
    return new Map()
  }
}
