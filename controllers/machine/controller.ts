import type { Ctx } from '../../api/ctx.ts'
import { ownerNamed } from '../../api/machine.ts'
import { keyOf } from '../runtime/resource.ts'
import { watching } from '../runtime/watching.ts'
import { serve, type Run } from '../serve.ts'
import { changed, mattersToUs, referredTo } from '../wake.ts'
import type { MachineDeps } from './pass.ts'
import { reconcileMachine } from './reconcile.ts'

/** A cloud that takes an instance back does not wait: those machines come before all others. */
export const urgent = 100

/** The machines of one cloud: woken by what they depend on. */
export async function runMachines(deps: MachineDeps, run: Run, ctx: Ctx): Promise<void> {
  const { infraMachines, machines, clusters, infraClusters, resource } = deps
  const allOf = (clusterKey: string) => infraMachines.by('cluster', clusterKey).map(keyOf)
  const watches = [
    watching(infraMachines, changed),
    watching(machines, (change) => referredTo(change, ({ spec }) => spec.infrastructureRef, resource.kind)),
    watching(clusters, (change) => (mattersToUs(change) ? changed(change).flatMap(allOf) : [])),
    watching(infraClusters, ({ before, after }) => {
      const object = after ?? before
      const owner = object && ownerNamed(object, 'Cluster')
      return object && owner !== undefined ? allOf(`${object.metadata.namespace}/${owner}`) : []
    }),
  ]
  const reconcile = (key: string, passCtx: Ctx) => reconcileMachine(key, deps, passCtx)
  await serve({ name: resource.kind, ...run, reconcile, watches }, ctx)
}
