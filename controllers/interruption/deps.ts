import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import type { Cluster, InfraMachine, Machine, MachineDeployment, MachineSet } from '../../api/machine.ts'
import type { CapacityMemory } from '../capacity/memory.ts'
import type { InterruptionSeries } from '../shared/interruption-series.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { OwnWrites } from '../runtime/cache/own-writes.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Recorder } from '../runtime/controller/events.ts'
import type { DeletedMachines } from './deleted-machines.ts'
import type { PendingNotices } from './pending-notices.ts'
import type { ReplacementsAhead } from './planned/replacements-ahead.ts'
import type { ShownLists } from './withdrawal/shown-lists.ts'

/** The dependencies of the interruption controller. */
export interface InterruptionDeps {
  readonly client: KubeClient
  readonly clusters: Cache<Cluster>
  /** With the indexes `cluster`, `machineSet`, `ahead` and `waiting`. */
  readonly machines: Cache<Machine>
  /** With the index `deployment`. All of the namespace: without one of them a hook would be taken off too soon. */
  readonly machineSets: Cache<MachineSet>
  readonly machineDeployments: Cache<MachineDeployment>
  /** With the index `cluster`. */
  readonly policies: Cache<InterruptionPolicy>
  /** By kind. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  readonly notices: PendingNotices
  readonly shown: Pick<ShownLists, 'isWithdrawn'>
  readonly ownWrites: OwnWrites
  /** Of the same Machines and own writes. */
  readonly ahead: ReplacementsAhead
  readonly capacity: Pick<CapacityMemory, 'shutUntil'>
  /** Notices of other Machines wait for a pass. */
  readonly isBusy: () => boolean
  readonly recorder: Pick<Recorder, 'event'>
  readonly series: InterruptionSeries
}

/** Of what decides, besides. */
export interface DecisionDeps extends InterruptionDeps {
  readonly deleted: DeletedMachines
  /** The decision about a notice was written, so many seconds after the notice. `machine`: as it stands then. */
  readonly recorded: (machine: Machine, seconds: number) => void
}
