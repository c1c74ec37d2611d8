import type { InterruptionPolicy } from '../../../api/generated/interruption-policy.ts'
import type { Cluster, InfraMachine, Machine, MachineDeployment, MachineSet, Node } from '../../../api/machine.ts'
import type { Notice } from '../../../api/notice.ts'
import type { Scope } from '../../../api/scope.ts'
import { runInterruptions } from '../../../controllers/interruption/controller.ts'
import { noticeIntake, type Intake } from '../../../controllers/interruption/intake.ts'
import { runNodeNotices, type NodeNotice } from '../../../controllers/interruption/node-notices.ts'
import { ReplacementsAhead } from '../../../controllers/interruption/planned/replacements-ahead.ts'
import type { CapacityMemory } from '../../../controllers/capacity/memory.ts'
import { PendingNotices } from '../../../controllers/interruption/pending-notices.ts'
import { ShownLists } from '../../../controllers/interruption/withdrawal/shown-lists.ts'
import type { ShownList } from '../../../providers/notices.ts'
import { RefusedNotices } from '../../../controllers/interruption/refused-notices.ts'
import { OwnWrites } from '../../../controllers/runtime/cache/own-writes.ts'
import type { KubeClient } from '../../../controllers/runtime/client/client.ts'
import { parseKey } from '../../../controllers/runtime/client/resource.ts'
import type { Run } from '../../../controllers/runtime/controller/run-watched.ts'
import type { NodeCaches } from '../../../controllers/workload/node-caches.ts'
import type { Fleets } from '../../../providers/fleet/fleets.ts'
import type { LaggingCache } from '../lagging-cache.ts'
import type { Process } from '../process.ts'

interface Parts {
  readonly process: Process
  readonly client: KubeClient
  readonly run: Run
  readonly caches: {
    readonly AWSMachine: LaggingCache<InfraMachine>
    readonly Machine: LaggingCache<Machine>
    readonly MachineSet: LaggingCache<MachineSet>
    readonly MachineDeployment: LaggingCache<MachineDeployment>
    readonly InterruptionPolicy: LaggingCache<InterruptionPolicy>
    readonly Cluster: LaggingCache<Cluster>
    readonly Node: LaggingCache<Node>
  }
  readonly listNow: Fleets['now']
  readonly capacity: CapacityMemory
}

const series = { notice: () => {}, announced: () => {}, passed: () => {}, queueAge: () => {} }

/** The interruption controller and its sources, as controllers/manager/parts/interruption.ts puts them together. */
export class Interruption {
  readonly fromCloud: (scope: Scope, notice: Notice) => void
  readonly fromCloudList: (list: ShownList) => void
  readonly #parts: Parts
  readonly #notices = new PendingNotices()
  readonly #shown = new ShownLists()
  readonly #intake: Intake
  readonly #refused: RefusedNotices

  constructor(parts: Parts) {
    const { caches, run, listNow } = parts
    this.#parts = parts
    this.#refused = new RefusedNotices(series, parts.process.ctx)
    this.#intake = noticeIntake({
      notices: this.#notices,
      shown: this.#shown,
      queue: run.queue,
      machines: caches.Machine,
      infraMachines: new Map([['AWSMachine', caches.AWSMachine]]),
      ofCloud: () => caches.AWSMachine,
      listNow,
      // No queue is received from.
      held: { hold: () => Promise.resolve() },
      refused: this.#refused,
    })
    this.fromCloud = this.#intake.fromCloud
    this.fromCloudList = this.#intake.fromCloudList
  }

  run(): void {
    const { process, client, run, caches } = this.#parts
    const shared = {
      clusters: caches.Cluster,
      machines: caches.Machine,
      infraMachines: new Map([['AWSMachine', caches.AWSMachine]]),
    }
    const ownWrites = new OwnWrites()
    const deps = {
      ...shared,
      client,
      machineSets: caches.MachineSet,
      machineDeployments: caches.MachineDeployment,
      policies: caches.InterruptionPolicy,
      notices: this.#notices,
      shown: this.#shown,
      ownWrites,
      ahead: new ReplacementsAhead({ machines: caches.Machine, ownWrites }),
      capacity: this.#parts.capacity,
      isBusy: () => false,
      recorder: { event: () => {} },
      series,
    }
    const onNodeNotice = (_: string, machine: string, notice: NodeNotice) => this.#intake.fromNode(machine, notice)
    void runInterruptions(deps, run, process.ctx)
    const nodeCaches = nodeCachesOf(caches.Node)
    void runNodeNotices({ ...shared, nodeCaches, refused: this.#refused, onNodeNotice }, process.ctx)
  }
}

/** All Nodes are watched for as long as the process lives. */
function nodeCachesOf(nodes: LaggingCache<Node>): NodeCaches {
  const watched: Pick<NodeCaches, 'get' | 'onChange' | 'use' | 'leave' | 'forget' | 'run'> = {
    get: (cluster, name) => nodes.get(`${parseKey(cluster).namespace}/${name}`),
    onChange: (listener) =>
      nodes.onChange(({ key, ...change }) => {
        const { namespace, name } = parseKey(key)
        listener({ ...change, key: name, cluster: `${namespace}/c1` })
      }),
    use: () => {},
    leave: () => {},
    forget: () => {},
    run: () => Promise.withResolvers<void>().promise,
  }
  return watched as NodeCaches
}
