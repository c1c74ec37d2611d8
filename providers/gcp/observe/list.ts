import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Asking, InstancePage } from '../../instances.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Scope } from '../../../api/scope.ts'
import { shapes } from '../wire/answers.ts'
import type { Gce } from '../wire/client.ts'
import { explain } from './explain.ts'
import type { InstanceHistory } from './history.ts'
import { aggregated } from '../wire/pages.ts'
import { operationsOn } from '../wire/operations.ts'
import { ownerLabel } from './ownership.ts'
import { fields, type GceInstance, type GceOperation } from '../wire/documents.ts'
import { partsOfId, toInstance, type GcpInstance } from './state.ts'

interface Listed {
  readonly gce: Gce
  readonly scope: Scope
  readonly following: InstanceHistory
  readonly asking: Asking
}

/**
 * Every instance of ours in the region, and then those that are there no more. What the list of instances does not tell
 * is asked of the operations, by one call for all of them, and only while there is such a thing.
 */
export async function* list({ gce, scope, following, asking }: Listed, ctx: Ctx): AsyncIterable<InstancePage> {
  const begunAt = ctx.clock.monotonic()
  const shown = new Map<string, GcpInstance>()
  const open: Instance[] = []
  const silent = new Set<string>()
  for await (const page of aggregated<'instances', GceInstance>(gce, { ...wishFor(scope), asking }, ctx)) {
    for (const zone of page.silent) silent.add(zone)
    const now = ctx.clock.monotonic()
    const items: Instance[] = []
    for (const { item } of page.items) {
      const instance = toInstance(item, scope.account ?? '')
      shown.set(instance.id, instance)
      if (following.isOpen(instance, now)) open.push(instance)
      else items.push(following.described(instance, now))
    }
    yield { items, complete: false }
  }
  const now = ctx.clock.monotonic()
  const isSilent = (zone: string) => silent.has(zone) || silent.has('')
  const missing = following.missing(new Set(shown.keys()), { begunAt, now, isSilent })
  const operations = await operationsFor([...open.map(({ id }) => id), ...missing], { gce, scope }, ctx)
  const explained = (id: string) => explain(operations.get(partsOfId(id).numeric) ?? [])
  const items = [
    ...open.map((instance) => following.explain(instance, explained(instance.id), now)),
    ...missing.flatMap((id) => following.explainMissing(id, explained(id), now) ?? []),
  ]
  const told = new Set(items.map(({ id }) => id))
  const complete = silent.size === 0
  const ended = following.listed(shown, { isWhole: complete, now }).filter(({ id }) => !told.has(id))
  const { account } = scope
  yield {
    items: [...items, ...ended],
    complete,
    account,
    ...(complete || silent.has('') ? {} : { unreachableZones: [...silent] }),
  }
}

function wishFor(scope: Scope) {
  return {
    scope,
    collection: 'instances',
    action: 'instances.aggregatedList',
    kind: 'compute#instance',
    shape: shapes.instance,
    filter: `labels.${ownerLabel}:*`,
    fields: fields.instance,
    maxWaitMs: Infinity,
  } as const
}

/** They only explain: without them the list is none the worse, and the next one asks again. */
async function operationsFor(
  ids: readonly string[],
  { gce, scope }: Pick<Listed, 'gce' | 'scope'>,
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
