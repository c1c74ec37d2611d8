import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance, InstanceState } from '../../api/instance.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import type { CloudName, Scope } from '../../api/scope.ts'
import { isHeldBack } from '../errors.ts'
import type { InstancePage, Instances, Launch } from '../instances.ts'

/** Keeps the counts. */
export interface Counts {
  launched(cloud: CloudName, result: 'created' | RefusalKind): void
  /** A list was complete, with so many instances in each state. */
  listed(scope: Scope, states: ReadonlyMap<InstanceState, number>): void
}

/** The same instances; launches and complete lists are counted. */
export function counted(instances: Instances, counts: Counts): Instances {
  return {
    create: (want, ctx) => create(instances, { want, counts }, ctx),
    find: (which, ctx) => instances.find(which, ctx),
    list: (scope, ctx) => list(scope, instances.list(scope, ctx), counts),
    terminate: (which, ctx) => instances.terminate(which, ctx),
  }
}

async function create(
  instances: Instances,
  { want, counts }: { want: Launch; counts: Counts },
  ctx: Ctx,
): Promise<Instance> {
  const { cloud } = want.scope
  try {
    const created = await instances.create(want, ctx)
    counts.launched(cloud, 'created')
    return created
  } catch (thrown) {
    if (thrown instanceof CloudError && !isHeldBack(thrown)) counts.launched(cloud, thrown.kind)
    throw thrown
  }
}

async function* list(scope: Scope, pages: AsyncIterable<InstancePage>, counts: Counts): AsyncGenerator<InstancePage> {
  const states = new Map<InstanceState, number>()
  for await (const page of pages) {
    for (const { state } of page.items) states.set(state, (states.get(state) ?? 0) + 1)
    if (page.complete) counts.listed(scope, states)
    yield page
  }
}
