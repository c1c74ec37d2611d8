import { expect } from 'vitest'
import { readAttempt, type Attempt } from '../../../api/attempt.ts'
import { findCondition, type Condition } from '../../../api/conditions.ts'
import { clusters, machineDeployments, machines, nodes, secrets, spotKind } from '../../../api/kinds.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { InfraCluster, InfraMachine, Machine } from '../../../api/machine.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import { events } from '../../../controllers/runtime/controller/events.ts'
import type { LabCloud } from '../../lab/clouds/cloud.ts'
import type { Lab } from '../../lab/lab.ts'
import type { Manifest } from '../../lab/objects.ts'
import { spotClusterManifests, type SpotCluster } from '../../lab/spot-cluster.ts'
import { patiently } from '../seen/patiently.ts'

export interface Node extends KubeObject {
  spec?: { providerID?: string }
}

interface KubeEvent {
  type: string
  involvedObject: { kind: string; uid?: string }
}

/** The lab, cloud and namespace of a cluster. */
export interface Place {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
  readonly name: string
}

/** The differences from the examples. */
export interface Wishes extends Pick<SpotCluster, 'labels' | 'values'> {
  /** Further fields of the machines. */
  readonly spec?: object
}

/** AWSMachineTemplate and so on. */
type Template = Manifest & { spec: { template: { spec: object } } }

/** One cluster of the examples in one cloud, with the actions and checks of the tests. */
export class CloudCluster {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
  readonly name: string
  /** AWSMachine and so on. */
  readonly machineKind: Resource
  /** AWSCluster and so on. */
  readonly clusterKind: Resource

  constructor({ lab, cloud, namespace, name }: Place) {
    this.lab = lab
    this.cloud = cloud
    this.namespace = namespace
    this.name = name
    this.machineKind = spotKind(`${cloud.prefix}Machine`)
    this.clusterKind = spotKind(`${cloud.prefix}Cluster`)
  }

  /** Applies the examples with the values of the cloud. */
  async apply(workers: number, wishes: Wishes = {}): Promise<void> {
    const { spec = {}, ...rest } = wishes
    const manifests = await this.#manifests(workers, rest)
    Object.assign(this.#specIn(manifests), spec)
    await this.lab.apply([...manifests, this.#nobodyReplaces(rest.labels)])
  }

  /** Ended Machines stay, to be examined. */
  #nobodyReplaces(labels: Readonly<Record<string, string>> = {}): Manifest {
    const metadata = { name: this.name, namespace: this.namespace, labels }
    const spec = { clusterName: this.name, healthCheck: 'None' }
    return { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1', kind: 'InterruptionPolicy', metadata, spec } as Manifest
  }

  /** The machine spec of the examples. */
  async machineSpec(): Promise<object> {
    return this.#specIn(await this.#manifests(0))
  }

  async #manifests(workers: number, wishes: Omit<Wishes, 'spec'> = {}): Promise<Manifest[]> {
    const { name, namespace, cloud } = this
    return spotClusterManifests(this.lab, { name, namespace, workers, cloud, ...wishes })
  }

  #specIn(manifests: readonly Manifest[]): object {
    const template = manifests.find(({ kind }) => kind === `${this.machineKind.kind}Template`) as Template | undefined
    if (!template) throw new Error(`The examples of ${this.cloud.name} have no template.`)
    return template.spec.template.spec
  }

  async list<T>(resource: Resource): Promise<T[]> {
    const { items } = await this.lab.client.list<T>(resource, { namespace: this.namespace }, this.lab.ctx)
    return items
  }

  async infraMachines(): Promise<InfraMachine[]> {
    const all = await this.list<InfraMachine>(this.machineKind)
    return all.filter(({ metadata }) => metadata.labels?.[core.clusterName] === this.name)
  }

  /** `replicas` Machines that core itself calls Running, each with its own instance and Node. */
  async running(replicas: number): Promise<InfraMachine[]> {
    return patiently(`${replicas} machines run`, async () => {
      const all = await this.list<Machine & { status?: { phase?: string } }>(machines)
      const phases = all.filter(({ spec }) => spec.clusterName === this.name).map(({ status }) => status?.phase)
      expect(phases).toEqual(Array.from({ length: replicas }, () => 'Running'))
      return this.infraMachines()
    })
  }

  /** The Nodes of our instances; other tests have Nodes on the same API server. */
  async nodes(): Promise<Node[]> {
    const mine = new Set((await this.infraMachines()).map(({ spec }) => spec.providerID))
    const { items } = await this.lab.client.list<Node>(nodes, {}, this.lab.ctx)
    return items.filter(({ spec }) => mine.has(spec?.providerID))
  }

  /** Those about our machines and their Nodes. */
  async events(reason: string): Promise<KubeEvent[]> {
    const objects = [...(await this.infraMachines()), ...(await this.nodes())]
    const mine = new Set(objects.map(({ metadata }) => metadata.uid))
    const { client, ctx } = this.lab
    const fieldSelector = `reason=${reason}`
    // Of all namespaces, the API server would read the events of all tests from etcd. Those of Nodes are in `default`.
    const found = await Promise.all(
      [this.namespace, 'default'].map((namespace) => client.list<KubeEvent>(events, { namespace, fieldSelector }, ctx)),
    )
    return found.flatMap(({ items }) => items.filter(({ involvedObject }) => mine.has(involvedObject.uid)))
  }

  /** Waits until the machine's condition Ready is this. */
  async isReady(name: string, wanted: Partial<Condition> | ((ready: Condition | undefined) => void)): Promise<void> {
    await patiently(`${name} says so`, async () => {
      const ready = readyOf((await this.infraMachines()).find(({ metadata }) => metadata.name === name))
      if (typeof wanted === 'function') wanted(ready)
      else expect(ready).toMatchObject(wanted)
    })
  }

  /** Waits until it reports that another manager may have its owner id. */
  async isShared(): Promise<void> {
    await patiently(`${this.name} says that its owner id is shared`, async () => {
      const { status } = await this.#infraCluster()
      const shared = findCondition(status?.conditions, 'OwnerIdShared')
      expect(shared).toMatchObject({ status: 'True', reason: 'AnotherManager' })
    })
  }

  /** Acts as a person who confirms that no other manager has its owner id. */
  async isTheOnlyHolder(): Promise<void> {
    await this.isShared()
    const { lab, namespace, name, clusterKind } = this
    const patch = { metadata: { annotations: { [annotations.ownerIdShared]: null } } }
    await lab.client.mergePatch(clusterKind, { namespace, name }, { patch }, lab.ctx)
    await patiently(`${name} knows`, async () => {
      const { status } = await this.#infraCluster()
      expect(findCondition(status?.conditions, 'OwnerIdShared')?.status).toBe('False')
    })
  }

  async #infraCluster(): Promise<InfraCluster> {
    const { lab, namespace, name, clusterKind } = this
    return lab.client.get<InfraCluster>(clusterKind, { namespace, name }, lab.ctx)
  }

  calls(action: string): number {
    return this.cloud.control.requests().filter((request) => request.action === action).length
  }

  creates(): number {
    return this.calls(this.cloud.createAction)
  }

  /** The number of lists of the cloud so far. */
  lists(): number {
    return this.cloud.control.requests().filter(this.cloud.isList).length
  }

  /** Waits for this number of polls of the cloud. */
  async afterPolls(count: number): Promise<void> {
    const before = this.lists()
    const check = () => expect(this.lists()).toBeGreaterThanOrEqual(before + count)
    await patiently(`${count} more polls`, check)
  }

  /** Makes its controller reconcile an object again. */
  async wake(resource: Resource, name: string): Promise<void> {
    const patch = { metadata: { annotations: { woken: String(Math.random()) } } }
    await this.lab.client.mergePatch(resource, { namespace: this.namespace, name }, { patch }, this.lab.ctx)
  }

  /** Deletes the Secret with the bootstrap data. The returned function restores it. */
  async takeBootstrapDataAway(): Promise<() => Promise<void>> {
    return this.takeSecretAway(`${this.name}-spot-bootstrap`)
  }

  /** Deletes a Secret. The returned function restores it. */
  async takeSecretAway(name: string): Promise<() => Promise<void>> {
    const ref = { namespace: this.namespace, name }
    const { metadata, ...rest } = await this.lab.client.get<Manifest>(secrets, ref, this.lab.ctx)
    await this.lab.client.delete(secrets, ref, {}, this.lab.ctx)
    const secret: Manifest = { ...rest, metadata: { ...ref, labels: metadata.labels ?? {} } }
    return async () => {
      await this.lab.apply([secret])
    }
  }

  async scaleTo(replicas: number): Promise<void> {
    await this.patchDeployment({ spec: { replicas } })
  }

  async patchDeployment(patch: object): Promise<void> {
    const ref = { namespace: this.namespace, name: `${this.name}-spot` }
    await this.lab.client.mergePatch(machineDeployments, ref, { patch }, this.lab.ctx)
  }

  /** Deletes a Machine, as a user would. */
  async deleteMachine(name: string): Promise<void> {
    await this.lab.client.delete(machines, { namespace: this.namespace, name }, {}, this.lab.ctx)
  }

  /** Deletes the Cluster as a user, and waits until core has removed it. */
  async deleteCluster(): Promise<void> {
    const { namespace, name } = this
    await this.lab.client.delete(clusters, { namespace, name }, {}, this.lab.ctx)
    await patiently('the Cluster is gone', async () => {
      const left = (await this.list<KubeObject>(clusters)).map(({ metadata }) => metadata.name)
      expect(left).not.toContain(name)
    })
  }
}

/** One of the infra machines, with its attempt. */
type Attempting = Parameters<typeof readAttempt>[0]

/** Its attempt, if it has its own. */
export function attemptOf(machine: Attempting | undefined): Attempt | undefined {
  const reading = machine ? readAttempt(machine) : undefined
  return reading?.is === 'ours' ? reading.attempt : undefined
}

/** The simulated cloud's id of the instance of a machine; empty without one. */
export function instanceOf(machine: Attempting | undefined): string {
  return attemptOf(machine)?.handle?.split('/').at(-1) ?? ''
}

export function readyOf(
  machine: { readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined } | undefined,
): Condition | undefined {
  return findCondition(machine?.status?.conditions, 'Ready')
}
