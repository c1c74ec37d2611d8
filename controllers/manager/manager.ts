import type { Ctx } from '../../api/ctx.ts'
import type { CloudName } from '../../api/scope.ts'
import type { Options } from '../../config/options.ts'
import { Fleets, type FleetsOptions } from '../../providers/fleet/fleets.ts'
import { eachCloud } from '../../providers/registry.ts'
import { Launches } from '../capacity/launches.ts'
import { HeldNotices } from '../interruption/held-notices.ts'
import { showMachines } from '../metrics/vitals.ts'
import { serveHints, type HintOptions } from '../interruption/hint-server.ts'
import { runManager } from '../runtime/process/manager.ts'
import { runGroup } from '../runtime/process/run-group.ts'
import { joined, type NoticeSources } from '../shared/notice-sources.ts'
import { cloudObjects } from './parts/cloud-objects.ts'
import { cloudParts } from './parts/cloud.ts'
import { capacityPoolsPart } from './parts/capacity-pools.ts'
import { common, commonPart } from './common.ts'
import { controlPlanePart } from './parts/control-plane.ts'
import { fleetsUntilTheEnd } from './fleets-until-the-end.ts'
import { interruptionPart, type InterruptionPart } from './parts/interruption.ts'
import { policiesOf } from './parts/policies.ts'
import { QueueWakes } from './queue-wakes.ts'
import { remediationPart } from './parts/remediation.ts'
import { Supervisor, type Clients } from './supervisor.ts'

/**
 * Puts the manager together and runs it until ctx ends. The supervisor and the caches start first, then the lease, then
 * the controllers. They end in reverse: the lease is released when no controller acts any more, and clients close last.
 */
export async function manage(clients: Clients, options: Options, ctx: Ctx): Promise<void> {
  const supervisor = await Supervisor.start(clients, options, ctx)
  const shared = common(supervisor, options)
  const objects = eachCloud((name) => cloudObjects(name, shared))
  const everyCloud = Object.values(objects)
  const infraMachines = new Map(everyCloud.map((of) => [of.machineResource.kind, of.infraMachines]))
  showMachines(supervisor.metrics, infraMachines)
  const wakes = new QueueWakes(eachCloud((name) => ({ ...objects[name], queue: objects[name].machineRun.queue })))
  const policies = policiesOf(shared)
  const listNow = (cloud: CloudName, region: string) => fleets.now(cloud, region)
  const held = new HeldNotices({
    isForeign: (scope, id, since) => fleets.isForeign(scope, id, since),
    isListed: (scope) => fleets.isListed(scope),
    hasAttempts: (cloud, region) => objects[cloud].infraMachines.by('region', region).length > 0,
    listNow,
  })
  const ofClouds = {
    ofCloud: (name: CloudName) => objects[name].infraMachines,
    cloud: (name: CloudName) => objects[name].cloud(),
  }
  const forInterruption = { ...shared, ...ofClouds, infraMachines, policies, listNow, held }
  const interruption = interruptionPart({ ...forInterruption, capacity: shared.memory }, ctx)
  const life = new AbortController()
  const heard = whoHears({ supervisor, wakes, interruption, held })
  const fleets = new Fleets({ pollIntervalMs: options.pollInterval, ...heard }, { ...ctx, signal: life.signal })
  const shownByCloud: NoticeSources = ({ scope }) => fleets.notices(scope)
  const noticeSources = joined([shownByCloud, interruption.sources])
  const view = capacityPoolsPart(shared)
  const launches = new Launches({ ...shared, infraMachines, policies })
  const needs = { ...shared, fleets, everyCluster: everyCloud, noticeSources, launches }
  const parts = [
    commonPart(shared),
    ...everyCloud.map((of) => cloudParts(of, needs)),
    controlPlanePart(shared),
    remediationPart({ ...shared, infraMachines, policies, launches, pools: view.pools }),
    view,
    interruption,
  ]
  const caches = parts.flatMap((part) => part.caches)
  const controllers = [
    fleetsUntilTheEnd(fleets, life),
    ...parts.flatMap((part) => part.controllers),
    ...hints(options, listNow),
  ]
  const acting = runGroup('Controllers', controllers)
  try {
    await runManager({ runnables: [...supervisor.runnables, ...caches, ...supervisor.election.runnables, acting] }, ctx)
  } finally {
    await Promise.all([shared.nodeEvents.settled(), shared.recorder.settled()])
    await shared.workloads.close()
  }
}

interface Hearers {
  readonly supervisor: Supervisor
  readonly wakes: QueueWakes
  readonly interruption: InterruptionPart
  readonly held: HeldNotices
}

/** Who hears what the fleets see. */
function whoHears({ supervisor, wakes, interruption, held }: Hearers): Omit<FleetsOptions, 'pollIntervalMs'> {
  return {
    onChange: (cloud, digest) => wakes.instanceChanged(cloud, digest),
    onNotice: (_, scope, notice) => interruption.intake.fromCloud(scope, notice),
    onNoticeList: (list) => interruption.intake.fromCloudList(list),
    onListed: (cloud, region) => held.listed(cloud, region),
    onBegin: supervisor.fleetBegun,
    onEnd: (scope) => {
      supervisor.fleetEnded(scope)
      interruption.fleetEnded(scope)
    },
  }
}

/** Only the leader takes hints, because only it lists. */
function hints({ hintBindAddress: address, hintTokenFile: tokenFile }: Options, listNow: HintOptions['listNow']) {
  if (!address) return []
  return [{ name: 'Hints', run: (ctx: Ctx) => serveHints({ address, tokenFile, listNow }, ctx) }]
}
