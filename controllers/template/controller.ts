import type { Ctx } from '../../api/ctx.ts'
import { ownerNamed } from '../../api/machine.ts'
import { keyOf } from '../runtime/resource.ts'
import { watching } from '../runtime/watching.ts'
import { Pauses } from '../machine/pauses.ts'
import { serve, type Run } from '../serve.ts'
import { changed, mattersToUs } from '../wake.ts'
import { reconcileTemplate, type TemplateDeps } from './reconcile.ts'

/** The machine templates of one cloud: woken by their own changes and by what says where their machines would go. */
export async function runTemplates(deps: TemplateDeps, run: Run, ctx: Ctx): Promise<void> {
  const { templates, clusters, infraClusters, resource } = deps
  const allOf = (clusterKey: string) => templates.by('cluster', clusterKey).map(keyOf)
  const watches = [
    watching(templates, changed),
    watching(clusters, (change) => (mattersToUs(change) ? changed(change).flatMap(allOf) : [])),
    watching(infraClusters, ({ before, after }) => {
      const object = after ?? before
      const owner = object && ownerNamed(object, 'Cluster')
      return object && owner !== undefined ? allOf(`${object.metadata.namespace}/${owner}`) : []
    }),
  ]
  const passes = { ...deps, pauses: new Pauses() }
  const reconcile = (key: string, passCtx: Ctx) => reconcileTemplate(key, passes, passCtx)
  await serve({ name: resource.kind, ...run, reconcile, watches }, ctx)
}
