import { findCondition, rfc3339 } from '../../api/conditions.ts'
import { core as coreLabels, machineLabels, remediationDue } from '../../api/labels.ts'
import { isPaused, type Cluster, type InfraMachine, type Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { isHooked } from '../../api/rules/interruption/interrupted-machine.ts'
import { examinedWhen } from '../../api/rules/markers.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import type { FakeApiserver } from '../support/fakes/fake-apiserver.ts'
import { MachineSets } from './machine-sets.ts'
import type { Nodes } from './notices/nodes.ts'
import { machineObjects } from './objects.ts'
import { epoch } from './process.ts'
import type { WorldClock } from './world-clock.ts'

/** The time that its controllers take for everything. */
const reactsMs = 500
/** The usual time of a drain. */
const usualDrainMs = 3_000

interface Parts {
  readonly apiserver: FakeApiserver
  readonly clock: WorldClock
  readonly nodes: Nodes
  /** Of every infra machine. */
  readonly machineSpec: object
  /** A MachineSet makes a Machine, and does not count these. */
  readonly onAhead: (uncounted: readonly Machine[]) => void
  /** Core deletes a Machine that its health check finds unhealthy. */
  readonly onRemoval: (machine: Machine, infra: InfraMachine | undefined) => void
}

/** Cluster API's core: Machines, their Nodes, health checks, drains, and the deletion of owned objects. */
export class Core {
  readonly sets: MachineSets
  drainMs = usualDrainMs
  readonly #parts: Parts
  #uids = 0
  /** When the drain ends, by uid of the Machine. */
  readonly #drainedAt = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.sets = new MachineSets({
      ...parts,
      makeMachine: (name, set) => this.makeMachine({ namespace: 'default', name }, set),
      deleteMachine: (key) => this.deleteMachine(key),
    })
  }

  /** No more slow drains. */
  calm(): void {
    this.drainMs = usualDrainMs
  }

  /** Creates a Machine with its objects. */
  makeMachine(ref: { namespace: string; name: string }, set?: { readonly name: string; readonly uid: string }): void {
    const uid = `u${++this.#uids}`
    const creationTimestamp = rfc3339(epoch + this.#parts.clock.now)
    for (const { kind, object } of machineObjects(ref, uid, { set, spec: this.#parts.machineSpec })) {
      const { metadata } = object
      const isMachine = kind === 'Machine'
      this.#parts.apiserver.put(kind, isMachine ? { ...object, metadata: { ...metadata, creationTimestamp } } : object)
    }
  }

  /** Machines of the MachineSets. */
  machinesOfSets(): Machine[] {
    return this.sets.sets().flatMap((set) => this.sets.counted(set))
  }

  infraOf({ metadata }: Machine): InfraMachine | undefined {
    return this.#parts.apiserver.get('AWSMachine', keyOf({ metadata })) as InfraMachine | undefined
  }

  /** Called with each change. */
  changed(kind: string, key: string, object: KubeObject | undefined): void {
    if (kind === 'AWSMachine') this.#infraMachineChanged(key, object as InfraMachine | undefined)
    if (kind === 'AWSCluster') this.#infraClusterChanged(key, object)
    if (kind === 'Cluster' && !object) this.#collect(key)
    if (kind === 'Machine') {
      if (!object) this.#parts.nodes.remove(key)
      this.#soon(() => {
        this.#examine(key)
        this.#reconcileSets()
      })
    }
    if (kind === 'MachineSet' || kind === 'MachineDeployment') this.#soon(() => this.#reconcileSets())
    if (kind === 'Cluster' || kind === 'MachineHealthCheck') {
      this.#soon(() => {
        this.#reconcileSets()
        for (const machine of this.#machines()) this.#examine(keyOf(machine))
      })
    }
  }

  #reconcileSets(): void {
    this.sets.reconcile(this.#clusterOf('default'))
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
    const machine = this.#parts.apiserver.get('Machine', key) as Machine | undefined
    if (!infra && machine) this.#infraIsGone(machine)
    if (!infra) return
    const isReady = findCondition(infra.status?.conditions, 'Ready')?.status === 'True'
    if (isReady) this.#soon(() => this.#join(key))
    else if (machine && isAvailable(machine)) this.#soon(() => this.#setAvailable(key, false))
  }

  /** A hook holds the Machine even without an instance. */
  #infraIsGone(machine: Machine): void {
    const { deletionTimestamp } = machine.metadata
    if (deletionTimestamp === undefined || !isHooked(machine)) this.#parts.apiserver.remove('Machine', keyOf(machine))
  }

  /** Its Node comes, and the Machine names it. */
  #join(key: string): void {
    const { apiserver, nodes } = this.#parts
    const machine = apiserver.get('Machine', key) as Machine | undefined
    const infra = machine && this.infraOf(machine)
    if (!machine || !infra || findCondition(infra.status?.conditions, 'Ready')?.status !== 'True') return
    if (!machine.status?.nodeRef) {
      nodes.join(key, infra.spec.providerID)
      const status = { ...machine.status, nodeRef: { name: machine.metadata.name } }
      apiserver.put('Machine', { ...machine, status } as KubeObject)
    }
    this.#setAvailable(key, true)
  }

  #setAvailable(key: string, isIt: boolean): void {
    const { apiserver } = this.#parts
    const machine = apiserver.get('Machine', key) as Machine | undefined
    if (!machine || isAvailable(machine) === isIt) return
    const others = machine.status?.conditions?.filter(({ type }) => type !== 'Available') ?? []
    const said = { type: 'Available', status: isIt ? 'True' : 'False', reason: 'Seen', message: '' } as const
    const conditions = [...others, { ...said, lastTransitionTime: '2026-01-01T00:00:00Z' }]
    apiserver.put('Machine', { ...machine, status: { ...machine.status, conditions } } as KubeObject)
  }

  /** A health check deletes a Machine with our label and condition. A deletion goes on. */
  #examine(key: string): void {
    const machine = this.#parts.apiserver.get('Machine', key) as Machine | undefined
    if (machine?.metadata.deletionTimestamp !== undefined) return this.#goOnDeleting(key)
    if (!machine || !isUnhealthy(machine) || !this.#isChecked(machine)) return
    this.#parts.onRemoval(machine, this.infraOf(machine))
    this.deleteMachine(key)
  }

  /** The Machine stays until its infra machine, which is deleted after the drain, is gone. */
  deleteMachine(key: string): void {
    this.#parts.apiserver.markDeleted('Machine', key, '2026-01-01T00:00:00Z')
    this.#goOnDeleting(key)
  }

  /** The namespace of the Machine is deleted: all its objects at once, without a drain. */
  deleteAtOnce(key: string): void {
    this.#parts.apiserver.markDeleted('Machine', key, '2026-01-01T00:00:00Z')
    this.#parts.apiserver.markDeleted('AWSMachine', key, '2026-01-01T00:00:00Z')
  }

  #goOnDeleting(key: string): void {
    const { apiserver } = this.#parts
    const machine = apiserver.get('Machine', key) as Machine | undefined
    if (!machine) return
    const cluster = this.#clusterOf(machine.metadata.namespace)
    const infra = this.infraOf(machine)
    if (isHooked(machine) || (cluster && isPaused(machine, cluster))) return
    if (!infra) this.#infraIsGone(machine)
    else if (infra.metadata.deletionTimestamp === undefined && this.#isDrained(machine)) {
      apiserver.markDeleted('AWSMachine', key, '2026-01-01T00:00:00Z')
    }
  }

  #isDrained(machine: Machine): boolean {
    const { clock } = this.#parts
    const { uid = '', annotations = {} } = machine.metadata
    if (!machine.status?.nodeRef || coreLabels.excludeNodeDraining in annotations) return true
    const drainedAt = this.#drainedAt.get(uid)
    if (drainedAt !== undefined) return clock.now >= drainedAt
    this.#drainedAt.set(uid, clock.now + this.drainMs)
    clock.after(this.drainMs, () => this.#goOnDeleting(keyOf(machine)))
    return false
  }

  #isChecked(machine: Machine): boolean {
    const { namespace } = machine.metadata
    const cluster = this.#clusterOf(namespace)
    const check = this.#parts.apiserver.get('MachineHealthCheck', `${namespace}/c1-spot-remediation`)
    return cluster !== undefined && check !== undefined && !isPaused(machine, cluster)
  }

  #infraClusterChanged(key: string, infra: KubeObject | undefined): void {
    const { apiserver } = this.#parts
    if (!infra) apiserver.remove('Cluster', key)
    const status = (infra as { status?: { initialization?: { provisioned?: boolean } } } | undefined)?.status
    const cluster = apiserver.get('Cluster', key)
    if (!status?.initialization?.provisioned || !cluster || cluster['status'] !== undefined) return
    apiserver.put('Cluster', {
      ...cluster,
      status: { initialization: { infrastructureProvisioned: true }, conditions: examinedWhen.map(isTrue) },
    } as KubeObject)
  }

  /** The objects of a Cluster are deleted with it. */
  #collect(key: string): void {
    const { apiserver } = this.#parts
    apiserver.remove('MachineHealthCheck', `${key}-spot-remediation`)
    if (key === 'default/c1') this.sets.collect()
  }
}

const isTrue = (type: string) => ({
  type,
  status: 'True',
  reason: 'Seen',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
})

function isAvailable({ status }: Machine): boolean {
  return findCondition(status?.conditions, 'Available')?.status === 'True'
}

function isUnhealthy({ metadata: { labels = {}, annotations = {} }, status }: Machine): boolean {
  const isSelected = labels[machineLabels.remediationDue] !== undefined
  const isSkipped = annotations[coreLabels.skipRemediation] !== undefined
  return isSelected && !isSkipped && findCondition(status?.conditions, remediationDue)?.status === 'True'
}
