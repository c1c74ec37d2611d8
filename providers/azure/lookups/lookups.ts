import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import type { Arm } from '../wire/client.ts'
import { shapes } from '../wire/answers.ts'
import type { Sku } from '../wire/documents.ts'
import { typeFacts, type TypeFacts } from './facts.ts'
import { pages } from '../wire/pages.ts'
import { subscriptionPath } from '../wire/resource-ids.ts'
import { ttlMs } from './ttl.ts'

/** Facts of Azure's sizes. All machines of a subscription and region share the answer. */
export class Lookups {
  readonly #arm: Arm
  readonly #types = new TtlCache<ReadonlyMap<string, TypeFacts>>({
    keepMs: ({ size }) => (size > 0 ? ttlMs.instanceTypes : ttlMs.nothing),
  })

  constructor(arm: Arm) {
    this.#arm = arm
  }

  /** Undefined: the region has no such size. */
  async instanceType(name: string, scope: Scope, ctx: Ctx): Promise<TypeFacts | undefined> {
    const { identity, account, region } = scope
    const types = await this.#types.get(JSON.stringify([identity, account, region]), () => this.#ask(scope, ctx), ctx)
    return types.get(name.toLowerCase())
  }

  /** Azure has no call for one size, so all are listed. Little is kept of each. */
  async #ask(scope: Scope, ctx: Ctx): Promise<ReadonlyMap<string, TypeFacts>> {
    const listing = {
      scope,
      action: 'ResourceSkus_List',
      path: subscriptionPath(scope, 'Microsoft.Compute/skus'),
      query: { $filter: `location eq '${scope.region}'` },
      shape: shapes.sku,
    } as const
    const types = new Map<string, TypeFacts>()
    for await (const { items } of pages<Sku>(this.#arm, listing, ctx)) {
      for (const sku of items) {
        if (sku.resourceType?.toLowerCase() === 'virtualmachines')
          types.set((sku.name ?? '').toLowerCase(), typeFacts(sku))
      }
    }
    return types
  }
}

/** The lookups as plans use them. */
export type Looking = Pick<Lookups, keyof Lookups>
