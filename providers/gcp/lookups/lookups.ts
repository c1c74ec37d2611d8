import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Scope } from '../../../api/scope.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import { shapes } from '../wire/answers.ts'
import type { Gce } from '../wire/client.ts'
import { customTypeFacts, neverMoved, typeFacts, type TypeFacts } from './facts.ts'
import { pages } from '../wire/pages.ts'
import { fields, isZoneOf, lastPart, type GceMachineType } from '../wire/documents.ts'
import { ttlMs } from './ttl.ts'

interface Offered {
  readonly facts: TypeFacts | undefined
  readonly zones: readonly string[]
}

/**
 * Facts of GCE that a launch needs. All machines of a scope share the answers, so the calls do not grow with the
 * machines.
 */
export class Lookups {
  readonly #gce: Gce
  readonly #types = new TtlCache<Offered>({
    keepMs: ({ zones }) => (zones.length > 0 ? ttlMs.machineType : ttlMs.nothing),
  })
  readonly #zones = new TtlCache<readonly string[]>({ keepMs: () => ttlMs.zones })

  constructor(gce: Gce) {
    this.#gce = gce
  }

  /** Undefined: the region has no such type. */
  async machineType(name: string, scope: Scope, ctx: Ctx): Promise<TypeFacts | undefined> {
    return customTypeFacts(name) ?? (await this.#type(name, scope, ctx)).facts
  }

  /**
   * Whether GCE never moves instances of this type to another host. It only sets a field that GCE would insist on, so
   * no permission is needed for it.
   */
  async staysOnItsHost(instanceType: string, scope: Scope, ctx: Ctx): Promise<boolean> {
    if (neverMoved.test(instanceType)) return true
    if (customTypeFacts(instanceType)) return false
    try {
      const { facts } = await this.#type(instanceType, scope, ctx)
      return facts !== undefined && facts.accelerators.length > 0
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'denied') return false
      throw thrown
    }
  }

  /**
   * The zones of the region that offer this type; none where GCE does not say. They only guide a choice, so no
   * permission is needed for it.
   */
  async zonesOffering(instanceType: string, scope: Scope, ctx: Ctx): Promise<readonly string[]> {
    if (customTypeFacts(instanceType)) return []
    try {
      return (await this.#type(instanceType, scope, ctx)).zones
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'denied') return []
      throw thrown
    }
  }

  /** All zones of the region. */
  zones(scope: Scope, ctx: Ctx): Promise<readonly string[]> {
    const { region } = scope
    const call = {
      scope,
      action: 'regions.get',
      method: 'GET',
      path: ['regions', region],
      query: { fields: 'kind,zones' },
      kind: 'compute#region',
      shape: shapes.region,
    } as const
    const ask = async () => {
      const { zones = [] } = await this.#gce.call<{ zones?: readonly string[] }>(call, ctx)
      return zones
        .map(lastPart)
        .filter((zone) => isZoneOf(region, zone))
        .toSorted()
    }
    return this.#zones.get(keyOf(scope), ask, ctx)
  }

  #type(name: string, scope: Scope, ctx: Ctx): Promise<Offered> {
    const listing = {
      scope,
      collection: 'machineTypes',
      action: 'machineTypes.aggregatedList',
      kind: 'compute#machineType',
      shape: shapes.machineType,
      filter: `name = "${name}"`,
      fields: fields.machineType,
    } as const
    const ask = async () => {
      const found: { zone: string; item: GceMachineType }[] = []
      for await (const { items } of pages<'machineTypes', GceMachineType>(this.#gce, listing, ctx)) {
        found.push(...items)
      }
      const [first] = found
      return { facts: first && typeFacts(first.item), zones: found.map(({ zone }) => zone).toSorted() }
    }
    return this.#types.get(keyOf(scope, name), ask, ctx)
  }
}

/** The lookups as plans use them. */
export type Looking = Pick<Lookups, keyof Lookups>

function keyOf({ identity, account, region }: Scope, ...rest: string[]): string {
  return JSON.stringify([identity, account, region, ...rest])
}
