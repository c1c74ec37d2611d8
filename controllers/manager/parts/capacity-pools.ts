import { capacityPools as resource } from '../../../api/kinds.ts'
import { runCapacityPools } from '../../capacity/pool-controller.ts'
import { CapacityPools } from '../../capacity/pools.ts'
import { wholeCacheOf } from '../cache-of.ts'
import type { Common } from '../common.ts'
import type { Running } from '../part.ts'
import { projectCapacityPool } from '../projections.ts'

const workers = 2

export interface CapacityPoolsPart extends Running {
  /** Undefined: --capacity-pools is false. */
  readonly pools: CapacityPools | undefined
}

/** A part of its own: without the kind, or without the right to read it, nothing else stops. */
export function capacityPoolsPart(shared: Common): CapacityPoolsPart {
  const { supervisor, options, memory } = shared
  if (!options.capacityPools) return { caches: [], controllers: [], pools: undefined }
  const { namespace, name } = supervisor.election.lease
  const manager = `${namespace}/${name}`
  const part = supervisor.part(resource.kind)
  const run = part.controller(resource.kind, workers)
  const pools = new CapacityPools({ manager, memory, wake: (pool) => run.queue.add(pool) })
  const objects = wholeCacheOf(resource, { project: projectCapacityPool }, shared)
  const deps = { client: supervisor.client, objects, pools, manager }
  return {
    caches: [part.cache(resource.kind, objects)],
    controllers: part.acting([{ name: resource.kind, run: (ctx) => runCapacityPools(deps, run, ctx) }]),
    pools,
  }
}
