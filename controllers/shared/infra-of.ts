import type { Ctx } from '../../api/ctx.ts'
import { spotKind } from '../../api/kinds.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'

/** The infra machines of all clouds, by kind. */
export interface InfraMachines {
  readonly infraMachines: ReadonlyMap<string, Pick<Cache<InfraMachine>, 'get'>>
}

export function infraOf({ metadata, spec }: Machine, { infraMachines }: InfraMachines): InfraMachine | undefined {
  const { kind = '', name = '' } = spec.infrastructureRef ?? {}
  return infraMachines.get(kind)?.get(`${metadata.namespace}/${name}`)
}

/** Asks the API server. A cache alone proves nothing: it may be late, and a watch filter hides objects from it. */
export async function isInfraGone({ metadata, spec }: Machine, client: KubeClient, ctx: Ctx): Promise<boolean> {
  const { kind = '', name = '' } = spec.infrastructureRef ?? {}
  try {
    await client.get(spotKind(kind), { namespace: metadata.namespace, name }, ctx)
    return false
  } catch (thrown) {
    if (isNotFound(thrown)) return true
    throw thrown
  }
}
