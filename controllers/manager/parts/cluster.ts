import type { Ctx } from '../../../api/ctx.ts'
import { lastRenewal } from '../../../api/rules/orphans.ts'
import { runClusters } from '../../cluster/controller.ts'
import { OrphanSweep } from '../../cluster/sweep.ts'
import { fleetUse } from '../../shared/fleet-use.ts'
import type { CloudNeeds, CloudObjects } from './cloud-objects.ts'
import type { Running } from '../part.ts'

const workers = 4

/** The infrastructure clusters of one cloud, with the sweep of instances that have no machine. */
export function clusterPart(of: CloudObjects, needs: CloudNeeds): Running {
  const { supervisor, options, recorder, holder, fleets, everyCluster, noticeSources } = needs
  const { part, clusterResource: resource } = of
  const everyKind = () => everyCluster
  const deps = { ...of, ...fleetUse(fleets, resource.kind), resource, recorder, holder, everyKind, noticeSources }
  const run = part.controller(resource.kind, workers)
  /** The sweep is quiet for some minutes after the lease was taken, so it is made when the controller begins to act. */
  const sweepFrom = (ctx: Ctx) => {
    const leaseRenewedAt = lastRenewal(supervisor.election.predecessor())
    return new OrphanSweep({ ...deps, orphans: options.orphans, leaseRenewedAt }, ctx)
  }
  return {
    caches: [part.cache(resource.kind, of.infraClusters)],
    controllers: [{ name: resource.kind, run: (ctx) => runClusters({ ...deps, sweep: sweepFrom(ctx) }, run, ctx) }],
  }
}
