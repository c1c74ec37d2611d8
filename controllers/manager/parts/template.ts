import { owningClusterKey } from '../../../api/machine.ts'
import { runTemplates } from '../../template/controller.ts'
import { projectTemplate, templateKind } from '../../template/template.ts'
import { cacheOf } from '../cache-of.ts'
import type { CloudObjects } from './cloud-objects.ts'
import type { Common } from '../common.ts'
import type { Running } from '../part.ts'

const workers = 2

/** Machine templates say how large their nodes are: autoscaling from zero reads it. */
export function templatePart(of: CloudObjects, shared: Common): Running {
  const resource = templateKind(of.machineResource)
  const templates = cacheOf(resource, { project: projectTemplate, indexes: { cluster: owningClusterKey } }, shared)
  const run = of.part.controller(resource.kind, workers)
  const deps = { ...of, resource, templates }
  return {
    caches: [of.part.cache(resource.kind, templates)],
    controllers: [{ name: resource.kind, run: (ctx) => runTemplates(deps, run, ctx) }],
  }
}
