import { externalControlPlanes as resource } from '../../../api/kinds.ts'
import { runControlPlanes } from '../../controlplane/controller.ts'
import { AccessReviews } from '../../workload/access.ts'
import { cacheOf } from '../cache-of.ts'
import type { Common } from '../common.ts'
import type { Running } from '../part.ts'
import { projectControlPlane } from '../projections.ts'

/** A probe waits for its API server, for ten seconds if that does not answer. The other probes do not wait for it. */
const probesAtOnce = 16

export function controlPlanePart(shared: Common): Running {
  const { supervisor, clusters, workloads } = shared
  const part = supervisor.part(resource.kind)
  const controlPlanes = cacheOf(resource, { project: projectControlPlane }, shared)
  const { client } = supervisor
  const deps = { client, resource, controlPlanes, clusters, workloads, access: new AccessReviews() }
  const run = part.controller(resource.kind, probesAtOnce)
  return {
    caches: [part.cache(resource.kind, controlPlanes)],
    controllers: part.acting([{ name: resource.kind, run: (ctx) => runControlPlanes(deps, run, ctx) }]),
  }
}
