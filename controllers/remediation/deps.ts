import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import type { Cluster, InfraMachine, Machine, MachineHealthCheck } from '../../api/machine.ts'
import type { BackoffStore } from '../capacity/backoff-store.ts'
import type { CapacityPools } from '../capacity/pools.ts'
import type { Launches } from '../capacity/launches.ts'
import type { CapacityMemory } from '../capacity/memory.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Recorder } from '../runtime/controller/events.ts'
import type { OwnWrites } from '../runtime/cache/own-writes.ts'
import type { Mendings } from './mendings.ts'

/** The dependencies of the remediation controller. */
export interface RemediationDeps {
  readonly client: KubeClient
  readonly clusters: Cache<Cluster>
  /** With the index `cluster`, by the key of the Cluster. The next two have it too. */
  readonly machines: Cache<Machine>
  readonly policies: Cache<InterruptionPolicy>
  readonly healthChecks: Cache<MachineHealthCheck>
  /** By kind. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  readonly memory: CapacityMemory
  readonly backoffStore: BackoffStore
  readonly launches: Launches
  /** Told of every Machine. Undefined: nobody wants to see the offerings. */
  readonly pools?: Pick<CapacityPools, 'look'> | undefined
  /** Corrections of our health checks, by the key of the Cluster. */
  readonly mendings: Mendings
  readonly ownWrites: OwnWrites
  readonly recorder: Pick<Recorder, 'event'>
  /** The value of --watch-filter. Our objects carry it, because otherwise the manager would not see them. */
  readonly watchFilter: string
}
