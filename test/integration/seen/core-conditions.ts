import { expect } from 'vitest'
import { type Condition } from '../../../api/conditions.ts'
import { clusters, machineDeployments, machines, machineSets } from '../../../api/kinds.ts'
import { core } from '../../../api/labels.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import type { Lab } from '../../lab/lab.ts'
import { patiently } from './patiently.ts'

type Statuses = Readonly<Record<string, Condition['status']>>

/** Every condition of core for settled, running workers. */
const settled: readonly { readonly resource: Resource; readonly conditions: Statuses }[] = [
  {
    resource: clusters,
    conditions: {
      Available: 'True',
      InfrastructureReady: 'True',
      ControlPlaneInitialized: 'True',
      ControlPlaneAvailable: 'True',
      // There are no control plane machines, and core reports them as healthy.
      ControlPlaneMachinesReady: 'True',
      ControlPlaneMachinesUpToDate: 'True',
      WorkersAvailable: 'True',
      WorkerMachinesReady: 'True',
      WorkerMachinesUpToDate: 'True',
      RemoteConnectionProbe: 'True',
      RollingOut: 'False',
      ScalingUp: 'False',
      ScalingDown: 'False',
      Remediating: 'False',
      Deleting: 'False',
      Paused: 'False',
    },
  },
  {
    resource: machineDeployments,
    conditions: {
      Available: 'True',
      MachinesReady: 'True',
      MachinesUpToDate: 'True',
      RollingOut: 'False',
      ScalingUp: 'False',
      ScalingDown: 'False',
      Remediating: 'False',
      Deleting: 'False',
      Paused: 'False',
    },
  },
  {
    resource: machineSets,
    conditions: {
      MachinesReady: 'True',
      MachinesUpToDate: 'True',
      ScalingUp: 'False',
      ScalingDown: 'False',
      Remediating: 'False',
      Deleting: 'False',
      Paused: 'False',
    },
  },
  // No HealthCheckSucceeded, because our MachineHealthCheck selects a Machine only when it is due.
  {
    resource: machines,
    conditions: {
      Available: 'True',
      Ready: 'True',
      UpToDate: 'True',
      BootstrapConfigReady: 'True',
      InfrastructureReady: 'True',
      NodeReady: 'True',
      NodeHealthy: 'True',
      Updating: 'False',
      Deleting: 'False',
      Paused: 'False',
    },
  },
]

/** One Cluster with its workers. */
export interface Workers {
  readonly lab: Lab
  readonly namespace: string
  readonly name: string
}

type CoreObject = KubeObject & { status?: { conditions?: readonly Condition[] } }

/** Waits until core's Cluster, MachineDeployment, MachineSets and Machines are healthy in every condition. */
export async function coreSaysAllIsWell(workers: Workers): Promise<void> {
  for (const { resource, conditions } of settled) {
    await patiently(`core says of each ${resource.kind} of ${workers.name} that all is well`, async () => {
      const found = await ofCluster(workers, resource)
      expect(found).not.toEqual([])
      expect(found.flatMap((object) => departures(object, conditions))).toEqual([])
    })
  }
}

async function ofCluster({ lab, namespace, name }: Workers, resource: Resource): Promise<CoreObject[]> {
  const { items } = await lab.client.list<CoreObject>(resource, { namespace }, lab.ctx)
  return items.filter(({ metadata }) =>
    resource === clusters ? metadata.name === name : metadata.labels?.[core.clusterName] === name,
  )
}

/** The conditions that differ, with core's words, and those that are missing. */
function departures({ metadata, status }: CoreObject, wanted: Statuses): string[] {
  const said = new Map((status?.conditions ?? []).map((condition) => [condition.type, condition]))
  return [...new Set([...said.keys(), ...Object.keys(wanted)])].flatMap((type) => {
    const condition = said.get(type)
    if (condition?.status === wanted[type]) return []
    const words = condition ? `${condition.status}, ${condition.reason}: ${condition.message}` : 'missing'
    return [`${metadata.name}: ${type} is ${words}; it has to be ${wanted[type] ?? 'missing'}`]
  })
}
