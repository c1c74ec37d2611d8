import { core as coreLabels } from '../../api/labels.ts'
import { isPaused, type Cluster, type Machine, type MachineDeployment, type MachineSet } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import type { FakeApiserver } from '../support/fakes/fake-apiserver.ts'
import { deploymentName, deploymentObject, setName, setObject } from './objects.ts'

const deploymentKey = `default/${deploymentName}`
/** The wanted number of machines at the beginning. */
const usualReplicas = 2

interface Parts {
  readonly apiserver: FakeApiserver
  readonly makeMachine: (name: string, set: { readonly name: string; readonly uid: string }) => void
  readonly deleteMachine: (key: string) => void
  /** A MachineSet makes a Machine although these of it still exist: it does not count them. */
  readonly onAhead: (uncounted: readonly Machine[]) => void
}

type Deployment = MachineDeployment & { readonly spec: { readonly replicas: number } }

/**
 * Core's MachineDeployment and its MachineSets. A MachineSet counts the Machines that its selector finds and that no
 * other object controls. It takes those without a controller for its own.
 */
export class MachineSets {
  readonly #parts: Parts
  #uids = 0
  #names = 0
  /** The uid of the MachineSet that made it, by name of the Machine. */
  readonly #makers = new Map<string, string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  makeDeployment(): void {
    if (!this.#deployment()) this.#parts.apiserver.put('MachineDeployment', deploymentObject('1', usualReplicas))
  }

  scale(replicas: number): void {
    this.#editDeployment((object) => ({ ...object, spec: { replicas } }) as KubeObject)
  }

  /** A user changes the template: another MachineSet takes the place of the present one. */
  rollOut(): void {
    this.#editDeployment((object) => {
      const revision = String(Number(revisionOf(object)) + 1)
      return { ...object, metadata: { ...object.metadata, annotations: { [coreLabels.revision]: revision } } }
    })
  }

  /** A user deletes the MachineSets. Another one of the same name comes. */
  deleteSets(): void {
    for (const set of this.sets()) this.#delete(set)
  }

  /** The MachineDeployment is deleted, with everything that it has. */
  disband(): void {
    this.#parts.apiserver.remove('MachineDeployment', deploymentKey)
    this.deleteSets()
  }

  /** All at once, with the namespace. */
  collect(): void {
    this.#parts.apiserver.remove('MachineDeployment', deploymentKey)
    for (const set of this.sets()) this.#parts.apiserver.remove('MachineSet', keyOf(set))
  }

  sets(): MachineSet[] {
    return this.#all('MachineSet') as MachineSet[]
  }

  /** Its present MachineSets have all the Machines that they are to have, and no other MachineSet is there. */
  isSettled(): boolean {
    const deployment = this.#deployment()
    const sets = this.sets()
    if (!deployment) return sets.length === 0
    const isAsWanted = (set: MachineSet) =>
      set.metadata.name === currentName(deployment) && this.counted(set).length === deployment.spec.replicas
    return sets.length === 1 && sets.every(isAsWanted)
  }

  counted({ metadata: { uid } }: MachineSet): Machine[] {
    return this.#machines().filter((machine) => controllerOf(machine)?.uid === uid)
  }

  /** The MachineSet that made this living Machine is there, and does not count it because another controls it. */
  isDisowned(machine: Machine): boolean {
    const controller = controllerOf(machine)
    const maker = this.sets().find(({ metadata }) => metadata.uid === this.#makers.get(machine.metadata.name))
    if (machine.metadata.deletionTimestamp !== undefined || !maker) return false
    return controller !== undefined && controller.uid !== maker.metadata.uid
  }

  /** Brings everything one step nearer. Called some time after each change. */
  reconcile(cluster: Cluster | undefined): void {
    if (!cluster || isPaused(cluster, cluster)) return
    const deployment = this.#deployment()
    if (deployment) this.#followDeployment(deployment)
    for (const set of this.sets()) {
      if (set.metadata.deletionTimestamp === undefined) this.#fill(set)
      else this.#empty(set)
    }
  }

  #followDeployment(deployment: Deployment): void {
    const current = currentName(deployment)
    const { replicas } = deployment.spec
    const sets = this.sets()
    if (!sets.some(({ metadata }) => metadata.name === current)) {
      const uid = `uid-set-${++this.#uids}`
      this.#parts.apiserver.put(
        'MachineSet',
        setObject({ name: current, uid, revision: revisionOf(deployment), replicas }),
      )
    }
    for (const set of sets) {
      const wanted = set.metadata.name === current ? replicas : 0
      if (set.spec.replicas !== wanted) this.#put({ ...set, spec: { ...set.spec, replicas: wanted } })
      else if (wanted === 0 && set.metadata.name !== current && this.counted(set).length === 0) this.#delete(set)
    }
  }

  #fill(set: MachineSet): void {
    this.#adopt(set)
    const { name, uid = '' } = set.metadata
    const { replicas = 1 } = set.spec
    const counted = this.counted(set)
    for (let missing = replicas - counted.length; missing > 0; missing--) {
      this.#parts.onAhead(this.#uncounted(set))
      const made = `s${++this.#names}`
      this.#makers.set(made, uid)
      this.#parts.makeMachine(made, { name, uid })
    }
    const surplus = Math.max(0, counted.length - replicas)
    for (const machine of counted.toSorted(byUrgency).slice(0, surplus)) this.#end(machine)
  }

  #empty(set: MachineSet): void {
    const counted = this.counted(set)
    for (const machine of counted) this.#end(machine)
    if (counted.length === 0) this.#parts.apiserver.remove('MachineSet', keyOf(set))
  }

  #end(machine: Machine): void {
    if (machine.metadata.deletionTimestamp === undefined) this.#parts.deleteMachine(keyOf(machine))
  }

  #adopt({ metadata: { name, uid = '' } }: MachineSet): void {
    for (const machine of this.#selectedBy(name)) {
      if (controllerOf(machine)) continue
      const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name, uid, controller: true }
      const ownerReferences = [...(machine.metadata.ownerReferences ?? []), owner]
      this.#parts.apiserver.put('Machine', { ...machine, metadata: { ...machine.metadata, ownerReferences } })
    }
  }

  /** Machines that it made, and that another object controls now. */
  #uncounted({ metadata: { uid } }: MachineSet): Machine[] {
    const isOther = (machine: Machine) => controllerOf(machine)?.uid !== uid
    return this.#machines().filter((machine) => this.#makers.get(machine.metadata.name) === uid && isOther(machine))
  }

  #selectedBy(name: string): Machine[] {
    return this.#machines().filter(({ metadata }) => metadata.labels?.[setName] === name)
  }

  #machines(): Machine[] {
    return this.#all('Machine') as Machine[]
  }

  #all(kind: string): KubeObject[] {
    return [...this.#parts.apiserver.objects].filter(([key]) => key.startsWith(`${kind} `)).map(([, object]) => object)
  }

  #deployment(): Deployment | undefined {
    return this.#parts.apiserver.get('MachineDeployment', deploymentKey) as Deployment | undefined
  }

  #editDeployment(change: (object: Deployment) => KubeObject): void {
    const deployment = this.#deployment()
    if (deployment) this.#parts.apiserver.put('MachineDeployment', change(deployment))
  }

  #put(set: MachineSet): void {
    this.#parts.apiserver.put('MachineSet', set)
  }

  /** It stays until it has no Machine. */
  #delete(set: MachineSet): void {
    if (set.metadata.deletionTimestamp !== undefined) return
    this.#put({ ...set, metadata: { ...set.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } })
  }
}

/** Each template has one name, so that a deleted MachineSet comes back with it. */
function currentName(deployment: Deployment): string {
  return `set-${revisionOf(deployment)}`
}

function revisionOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[coreLabels.revision] ?? ''
}

export function controllerOf({ metadata }: Machine) {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)
}

/** Core deletes first what is being deleted anyway. */
function byUrgency(a: Machine, b: Machine): number {
  const rank = ({ metadata }: Machine) => (metadata.deletionTimestamp === undefined ? 1 : 0)
  return rank(a) - rank(b)
}
