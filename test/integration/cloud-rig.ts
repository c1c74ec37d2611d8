import { expect } from 'vitest'
import { readAttempt } from '../../api/attempt.ts'
import { findCondition, type Condition } from '../../api/conditions.ts'
import { clusters, machines, nodes, spotKind } from '../../api/kinds.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { events } from '../../controllers/runtime/events.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { LabCloudName } from '../lab/clouds/start.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import type { ClusterAccess } from '../lab/management-cluster.ts'
import type { Manifest } from '../lab/objects.ts'
import { spotClusterManifests } from '../lab/spot-cluster.ts'

const machineDeployments: Resource = { ...machines, plural: 'machinedeployments', kind: 'MachineDeployment' }
const quickCloud = { bootMs: 300, stopMs: 100, shutdownMs: 100, noticeMs: 100 }
const clusterName = 'c1'

interface Template extends Manifest {
  spec: { template: { spec: object } }
}

interface Node extends KubeObject {
  spec?: { providerID?: string }
}

interface KubeEvent {
  type: string
  involvedObject: { kind: string; uid?: string }
}

/** One cluster of one cloud's examples, in a namespace of its own, with a manager that looks nowhere else. */
export class CloudRig implements AsyncDisposable {
  readonly cloud: LabCloud
  readonly machines: Resource
  readonly #lab: Lab
  readonly #namespace: string

  private constructor(lab: Lab, cloud: LabCloud, namespace: string) {
    this.#lab = lab
    this.cloud = cloud
    this.machines = spotKind(`${cloud.prefix}Machine`)
    this.#namespace = namespace
  }

  static async start(cluster: ClusterAccess, name: LabCloudName): Promise<CloudRig> {
    const lab = await startLab({ cluster, clouds: [name], delays: quickCloud })
    const cloud = lab.clouds.find((one) => one.name === name)
    if (!cloud) throw new Error(`The lab has no ${name}.`)
    const namespace = await lab.namespace(name)
    await lab.manager.start({ args: ['--poll-interval', '1s', '--namespace', namespace] })
    return new CloudRig(lab, cloud, namespace)
  }

  /** Applies the examples; `machineSpec`: fields that the machines have besides. */
  async apply(workers: number, machineSpec: object = {}): Promise<void> {
    const place = { name: clusterName, namespace: this.#namespace, workers, cloud: this.cloud }
    const manifests = await spotClusterManifests(this.#lab, place)
    const template = manifests.find(({ kind }) => kind === `${this.machines.kind}Template`) as Template | undefined
    if (template) Object.assign(template.spec.template.spec, machineSpec)
    await this.#lab.apply(manifests)
  }

  async infraMachines(): Promise<InfraMachine[]> {
    return this.#list<InfraMachine>(this.machines)
  }

  /** `replicas` Machines that core itself calls Running, each with its own instance and Node. */
  async running(replicas: number): Promise<InfraMachine[]> {
    return eventually(
      `${replicas} machines run`,
      async () => {
        const core = await this.#list<Machine & { status?: { phase?: string } }>(machines)
        expect(core.map(({ status }) => status?.phase)).toEqual(Array.from({ length: replicas }, () => 'Running'))
        return this.infraMachines()
      },
      { timeoutMs: 90_000 },
    )
  }

  /** The labels of the Nodes of our instances. */
  async nodeLabels(): Promise<Record<string, string>[]> {
    return (await this.#nodes()).map(({ metadata }) => metadata.labels ?? {})
  }

  /** Those about our machines and their Nodes. */
  async events(reason: string): Promise<KubeEvent[]> {
    const { client, ctx } = this.#lab
    const objects = [...(await this.infraMachines()), ...(await this.#nodes())]
    const mine = new Set(objects.map(({ metadata }) => metadata.uid))
    const { items } = await client.list<KubeEvent>(events, { fieldSelector: `reason=${reason}` }, ctx)
    return items.filter(({ involvedObject }) => mine.has(involvedObject.uid))
  }

  /** Until the machine's condition Ready is this. */
  async isReady(name: string, wanted: Partial<Condition> | ((ready: Condition | undefined) => void)): Promise<void> {
    await eventually('the machine says so', async () => {
      const machine = (await this.infraMachines()).find(({ metadata }) => metadata.name === name)
      const ready = findCondition(machine?.status?.conditions, 'Ready')
      if (typeof wanted === 'function') wanted(ready)
      else expect(ready).toMatchObject(wanted)
    })
  }

  async nothingLeft(): Promise<void> {
    await eventually('the cloud holds nothing of ours', () => expect(this.cloud.leftovers()).toBe(0))
  }

  creates(): number {
    const { control, createAction } = this.cloud
    return control.requests().filter(({ action }) => action === createAction).length
  }

  logs(): string {
    return this.#lab.manager.logs()
  }

  async scaleTo(replicas: number): Promise<void> {
    const ref = { namespace: this.#namespace, name: `${clusterName}-spot` }
    await this.#lab.client.mergePatch(machineDeployments, ref, { patch: { spec: { replicas } } }, this.#lab.ctx)
  }

  /** As a user: deletes the Cluster and waits until core has let go of it. */
  async deleteCluster(): Promise<void> {
    await this.#lab.client.delete(clusters, { namespace: this.#namespace, name: clusterName }, {}, this.#lab.ctx)
    await eventually(
      'the Cluster is gone',
      async () => expect((await this.#list<KubeObject>(clusters)).map(({ metadata }) => metadata.name)).toEqual([]),
      { timeoutMs: 90_000 },
    )
  }

  /** Other tests have Nodes on the same API server. */
  async #nodes(): Promise<Node[]> {
    const mine = new Set((await this.infraMachines()).map(({ spec }) => spec.providerID))
    const { items } = await this.#lab.client.list<Node>(nodes, {}, this.#lab.ctx)
    return items.filter(({ spec }) => mine.has(spec?.providerID))
  }

  async #list<T>(resource: Resource): Promise<T[]> {
    const { items } = await this.#lab.client.list<T>(resource, { namespace: this.#namespace }, this.#lab.ctx)
    return items
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lab.stop()
  }
}

/** By which the simulated cloud knows the instance of a machine. */
export function instanceOf(machine: InfraMachine | undefined): string {
  const reading = machine ? readAttempt(machine) : undefined
  return (reading?.is === 'ours' ? reading.attempt.handle : undefined)?.split('/').at(-1) ?? ''
}
