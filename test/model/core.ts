import { findCondition } from '../../api/conditions.ts'
import { core as coreLabels, machineLabels, remediationDue } from '../../api/labels.ts'
import { isPaused, type Cluster, type InfraMachine, type Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import type { FakeApiserver } from '../support/fakes/fake-apiserver.ts'
import { machineObjects, setObject } from './objects.ts'
import type { WorldClock } from './world-clock.ts'

/** The time that its controllers take for everything. */
const reactsMs = 500
/** The number of machines of the MachineSet. */
export const replicas = 2
export const setKey = 'default/set'

interface Parts {
  readonly apiserver: FakeApiserver
  readonly clock: WorldClock
  /** Core deletes a Machine that its health check finds unhealthy. */
  readonly onRemoval: (machine: Machine, infra: InfraMachine | undefined) => void
}

/** Cluster API's core: the machines of a MachineSet, their Nodes, health checks, and the deletion of owned objects. */
export class Core {
  readonly #parts: Parts
  #uids = 0
  #names = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Creates a Machine with its objects. */
  makeMachine(ref: { namespace: string; name: string }, set?: string): void {
    const uid = `u${++this.#uids}`
    for (const { kind, object } of machineObjects(ref, uid, set)) this.#parts.apiserver.put(kind, object)
  }

  makeSet(): void {
    this.#parts.apiserver.put('MachineSet', setObject(setKey))
    this.#soon(() => this.#fill())
  }

  /** Machines of the MachineSet. */
  machinesOfSet(): Machine[] {
    return this.#machines().filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind }) => kind === 'MachineSet'),
    )
  }

  infraOf({ metadata }: Machine): InfraMachine | undefined {
    return this.#parts.apiserver.get('AWSMachine', keyOf({ metadata })) as InfraMachine | undefined
  }

  /** Called with each change. */
  changed(kind: string, key: string, object: KubeObject | undefined): void {
    if (kind === 'AWSMachine') this.#infraMachineChanged(key, object as InfraMachine | undefined)
    if (kind === 'AWSCluster') this.#infraClusterChanged(key, object)
    if (kind === 'Cluster' && !object) this.#collect(key)
    if (kind === 'Machine') this.#soon(() => (object ? this.#examine(key) : this.#fill()))
    if (kind === 'Cluster' || kind === 'MachineHealthCheck') {
      this.#soon(() => {
        this.#fill()
        for (const machine of this.#machines()) this.#examine(keyOf(machine))
      })
    }
  }

  #machines(): Machine[] {
    const { objects } = this.#parts.apiserver
    return [...objects].filter(([key]) => key.startsWith('Machine ')).map(([, object]) => object as unknown as Machine)
  }

  #soon(run: () => void): void {
    this.#parts.clock.after(reactsMs, run)
  }

  #clusterOf(namespace: string): Cluster | undefined {
    return this.#parts.apiserver.get('Cluster', `${namespace}/c1`) as Cluster | undefined
  }

  #infraMachineChanged(key: string, infra: InfraMachine | undefined): void {
    const { apiserver } = this.#parts
    if (!infra) apiserver.remove('Machine', key)
    else if (findCondition(infra.status?.conditions, 'Ready')?.status === 'True') this.#soon(() => this.#join(key))
  }

  /** Its Node comes, and the Machine names it. */
  #join(key: string): void {
    const { apiserver } = this.#parts
    const machine = apiserver.get('Machine', key) as Machine | undefined
    if (!machine || machine.status?.nodeRef) return
    const status = { ...machine.status, nodeRef: { name: machine.metadata.name } }
    apiserver.put('Machine', { ...machine, status } as KubeObject)
  }

  /** A health check deletes a Machine with our label and condition. */
  #examine(key: string): void {
    const { apiserver } = this.#parts
    const machine = apiserver.get('Machine', key) as Machine | undefined
    if (!machine || !isUnhealthy(machine) || !this.#isChecked(machine)) return
    const infra = this.infraOf(machine)
    if (infra?.metadata.deletionTimestamp) return
    this.#parts.onRemoval(machine, infra)
    this.deleteMachine(key)
  }

  /** The Machine stays until its infra machine, which is deleted after it, is gone. */
  deleteMachine(key: string): void {
    const { apiserver } = this.#parts
    const at = '2026-01-01T00:00:00Z'
    const machine = apiserver.get('Machine', key)
    if (machine) {
      apiserver.put('Machine', { ...machine, metadata: { ...machine.metadata, deletionTimestamp: at } })
    }
    apiserver.markDeleted('AWSMachine', key, at)
  }

  #isChecked(machine: Machine): boolean {
    const { namespace } = machine.metadata
    const cluster = this.#clusterOf(namespace)
    const check = this.#parts.apiserver.get('MachineHealthCheck', `${namespace}/c1-spot-remediation`)
    return cluster !== undefined && check !== undefined && !isPaused(machine, cluster)
  }

  /** The MachineSet creates the missing Machines. */
  #fill(): void {
    const { apiserver } = this.#parts
    const cluster = this.#clusterOf('default')
    if (!cluster || isPaused(cluster, cluster) || !apiserver.get('MachineSet', setKey)) return
    for (let missing = replicas - this.machinesOfSet().length; missing > 0; missing--) {
      this.makeMachine({ namespace: 'default', name: `s${++this.#names}` }, 'set')
    }
  }

  #infraClusterChanged(key: string, infra: KubeObject | undefined): void {
    const { apiserver } = this.#parts
    if (!infra) apiserver.remove('Cluster', key)
    const status = (infra as { status?: { initialization?: { provisioned?: boolean } } } | undefined)?.status
    const cluster = apiserver.get('Cluster', key)
    if (!status?.initialization?.provisioned || !cluster || cluster['status'] !== undefined) return
    apiserver.put('Cluster', {
      ...cluster,
      status: { initialization: { infrastructureProvisioned: true } },
    } as KubeObject)
  }

  /** The objects of a Cluster are deleted with it. */
  #collect(key: string): void {
    const { apiserver } = this.#parts
    apiserver.remove('MachineHealthCheck', `${key}-spot-remediation`)
    if (key === 'default/c1') apiserver.remove('MachineSet', setKey)
  }
}

function isUnhealthy({ metadata: { labels = {}, annotations = {} }, status }: Machine): boolean {
  const isSelected = labels[machineLabels.remediationDue] !== undefined
  const isSkipped = annotations[coreLabels.skipRemediation] !== undefined
  return isSelected && !isSkipped && findCondition(status?.conditions, remediationDue)?.status === 'True'
}
