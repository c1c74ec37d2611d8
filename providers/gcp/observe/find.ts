import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { InstanceRef } from '../../instances.ts'
import type { Scope } from '../../../api/scope.ts'
import { shapes } from '../wire/answers.ts'
import type { Gce } from '../wire/client.ts'
import { explain, type Explanation } from './explain.ts'
import { pages } from '../wire/pages.ts'
import { operationOfRequest, operationsOn } from '../wire/operations.ts'
import { requestIdOf } from './ownership.ts'
import { fields, type GceInstance, type GceOperation } from '../wire/documents.ts'
import { fromOperation, partsOfId, toInstance, type GcpInstance } from './state.ts'

type Found = GcpInstance | 'absent' | 'unknown'

/** Direct looks at single instances. */
export class Finder {
  readonly #gce: Gce

  constructor(gce: Gce) {
    this.#gce = gce
  }

  /** The instance if it exists; else the outcome that its operations tell. */
  async find(which: InstanceRef, ctx: Ctx): Promise<Found> {
    const found = await this.present(which, ctx)
    if (found !== 'absent') return found
    return which.id === undefined ? this.#byRequest(which, ctx) : this.#byOperations(which.id, which.scope, ctx)
  }

  /** The instance if it exists; no operations are asked. */
  present(which: InstanceRef, ctx: Ctx): Promise<Found> {
    const { id, name, scope } = which
    if (id !== undefined) {
      const { zone, numeric } = partsOfId(id)
      return this.get({ scope, zone, nameOrId: numeric }, ctx)
    }
    return name === undefined ? Promise.resolve('absent') : this.#named(name, scope, ctx)
  }

  async get({ scope, zone, nameOrId }: { scope: Scope; zone: string; nameOrId: string }, ctx: Ctx): Promise<Found> {
    const path = ['zones', zone, 'instances', nameOrId]
    const query = { fields: `kind,${fields.instance}` }
    const what = { kind: 'compute#instance', shape: shapes.instance } as const
    const call = { scope, action: 'instances.get', method: 'GET', path, query, ...what } as const
    try {
      return toInstance(await this.#gce.call<GceInstance>(call, ctx), scope.account ?? '')
    } catch (thrown) {
      if (!(thrown instanceof CloudError)) throw thrown
      if (thrown.kind === 'missing') return 'absent'
      if (thrown.code === 'backendError') return 'unknown'
      throw thrown
    }
  }

  /** Looks in all zones of the region. */
  async #named(name: string, scope: Scope, ctx: Ctx): Promise<Found> {
    const listing = {
      scope,
      collection: 'instances',
      action: 'instances.aggregatedList',
      kind: 'compute#instance',
      shape: shapes.instance,
      filter: `name = "${name}"`,
      fields: fields.instance,
    } as const
    let isWhole = true
    for await (const page of pages<'instances', GceInstance>(this.#gce, listing, ctx)) {
      const [found] = page.items
      if (found) return toInstance(found.item, scope.account ?? '')
      isWhole &&= page.unreachable.length === 0
    }
    return isWhole ? 'absent' : 'unknown'
  }

  async #byOperations(id: string, scope: Scope, ctx: Ctx): Promise<Found> {
    const { numeric } = partsOfId(id)
    const operations = (await operationsOn(this.#gce, { scope, ids: [numeric] }, ctx)).get(numeric) ?? []
    const [first] = operations
    const explanation = explain(operations)
    return first && explanation ? missing(first, explanation, scope) : 'absent'
  }

  /** For an insert without an instance: it is under way, it has failed, or the instance has ended since. */
  async #byRequest({ scope, tag }: InstanceRef, ctx: Ctx): Promise<Found> {
    const operation = await operationOfRequest(this.#gce, { scope, requestId: requestIdOf(tag.token) }, ctx)
    if (typeof operation === 'string') return operation
    const explanation = explain([operation])
    if (explanation) return missing(operation, explanation, scope)
    const { id } = fromOperation(operation, scope.account ?? '')
    return this.#byOperations(id, scope, ctx)
  }
}

/** An instance that GCE does not show, composed from one of its operations. */
function missing(operation: GceOperation, explanation: Explanation, scope: Scope): GcpInstance {
  const instance = fromOperation(operation, scope.account ?? '')
  switch (explanation.is) {
    case 'coming':
      return instance
    case 'failed':
      return { ...instance, state: 'terminated', failure: explanation.failure }
    case 'ended': {
      const { reason, interrupted } = explanation
      return { ...instance, state: 'terminated', started: true, reason, ...(interrupted ? { interrupted } : {}) }
    }
  }
}

/** The request can neither be carried out nor be reported as done before the zone answers again. */
export function zoneSilent(message: string): CloudError {
  return new CloudError('transient', { code: 'ZoneSilent', message })
}
