import type { InterruptionPolicy } from '../../../api/generated/interruption-policy.ts'
import { interruptionPolicies, machineDeployments, machineSets } from '../../../api/kinds.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { CloudName, Scope } from '../../../api/scope.ts'
import type { SourceState } from '../../../api/rules/interruption/notice-sources.ts'
import { runInterruptions } from '../../interruption/controller.ts'
import { machineDeploymentKeyOf } from '../../interruption/machine-set-key.ts'
import { runLastCalls } from '../../interruption/last-call.ts'
import { noticeIntake, type Intake, type IntakeDeps } from '../../interruption/intake.ts'
import type { NodeNotice } from '../../interruption/node-notices.ts'
import type { InterruptionDeps } from '../../interruption/deps.ts'
import { ReplacementsAhead } from '../../interruption/planned/replacements-ahead.ts'
import { PendingNotices } from '../../interruption/pending-notices.ts'
import { ofNotice } from '../../interruption/priorities.ts'
import { ShownLists } from '../../interruption/withdrawal/shown-lists.ts'
import { RefusedNotices } from '../../interruption/refused-notices.ts'
import { interruptionSeries } from '../../metrics/interruptions.ts'
import { OwnWrites } from '../../runtime/cache/own-writes.ts'
import type { Cache, Reflection } from '../../runtime/cache/cache.ts'
import { joined, type NoticeSources } from '../../shared/notice-sources.ts'
import type { NodeWatchState } from '../../workload/node-watch.ts'
import { wholeCacheOf } from '../cache-of.ts'
import type { Common } from '../common.ts'
import type { Running } from '../part.ts'
import { noticeQueuesPart, type NoticeQueueNeeds } from './notice-queues.ts'
import { nodeNoticesPart } from './node-notices.ts'
import { projectMachineDeployment, projectMachineSet } from '../projections.ts'

const name = 'Interruption'
const lastCalls = 'Last calls'
/**
 * A storm of notices is as many short writes. Core acts on each deleted Machine at once, so with few writes under way
 * the last Machines of a storm would wait behind the drains of the first.
 */
const workers = 64
/** With more notices the other controllers wait. So few take a moment. */
const backlog = 16
/** Each may wait for a workload cluster. */
const lastCallWorkers = 16

/** What the part takes from the others. */
export interface InterruptionNeeds extends Common, Omit<NoticeQueueNeeds, 'options' | 'intake' | 'refused' | 'series'> {
  /** By kind. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  readonly policies: Reflection<InterruptionPolicy>
  /** With the index `instance`. */
  readonly ofCloud: (cloud: CloudName) => Cache<InfraMachine>
  readonly listNow: IntakeDeps['listNow']
  readonly capacity: InterruptionDeps['capacity']
}

export interface InterruptionPart extends Running {
  readonly intake: Intake
  readonly sources: NoticeSources
  readonly fleetEnded: (scope: Scope) => void
}

/** Machines whose instance was announced to end. */
export function interruptionPart(needs: InterruptionNeeds, ctx: Ctx): InterruptionPart {
  const { supervisor, machines, policies } = needs
  const indexes = { deployment: machineDeploymentKeyOf }
  const sets = wholeCacheOf(machineSets, { project: projectMachineSet, indexes }, needs)
  const deployments = wholeCacheOf(machineDeployments, { project: projectMachineDeployment }, needs)
  const part = supervisor.part(name)
  const run = part.controllerAhead(name, { workers, backlog })
  const lastCallRun = part.controller(lastCalls, lastCallWorkers)
  part.follow(interruptionPolicies.kind, policies)
  const notices = new PendingNotices()
  const shown = new ShownLists()
  const series = interruptionSeries(supervisor.metrics)
  const refused = new RefusedNotices(series, ctx)
  const intake = noticeIntake({ ...needs, notices, shown, refused, queue: run.queue })
  const queues = noticeQueuesPart({ ...needs, intake, refused, series })
  const fromNode = (_: string, machine: string, notice: NodeNotice) => intake.fromNode(machine, notice)
  const nodes = nodeNoticesPart(needs.infraMachines, { ...needs, refused, onNodeNotice: fromNode })
  const ownWrites = new OwnWrites()
  const deps = {
    ...needs,
    client: supervisor.client,
    machines,
    machineSets: sets,
    machineDeployments: deployments,
    notices,
    shown,
    series,
    ownWrites,
    ahead: new ReplacementsAhead({ machines, ownWrites }),
    isBusy: () => (run.queue.nextPriority ?? 0) >= ofNotice,
  }
  return {
    intake,
    fleetEnded: (scope) => shown.forget(scope),
    sources: joined([({ cluster }) => sourceOfNodes(nodes.state(cluster)), queues.sources]),
    caches: [part.cache(machineSets.kind, sets), part.cache(machineDeployments.kind, deployments)],
    controllers: [
      ...part.acting([
        { name, run: (own) => runInterruptions(deps, run, own) },
        { name: lastCalls, run: (own) => runLastCalls(deps, { name: lastCalls, run: lastCallRun }, own) },
        ...queues.controllers,
      ]),
      ...nodes.controllers,
    ],
  }
}

function sourceOfNodes(state: NodeWatchState | undefined): SourceState[] {
  return state ? [{ source: 'Nodes', ...state }] : []
}
