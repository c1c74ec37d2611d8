import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { Cache } from '../runtime/cache/cache.ts'

/** The infra machines of all clouds, by kind. */
export interface InfraMachines {
  readonly infraMachines: ReadonlyMap<string, Pick<Cache<InfraMachine>, 'get'>>
}

export function infraOf({ metadata, spec }: Machine, { infraMachines }: InfraMachines): InfraMachine | undefined {
  const { kind = '', name = '' } = spec.infrastructureRef ?? {}
  return infraMachines.get(kind)?.get(`${metadata.namespace}/${name}`)
}
