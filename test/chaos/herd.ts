import assert from 'node:assert/strict'
import { findCondition } from '../../api/conditions.ts'
import { clusters, interruptionPolicies, machineDeployments, machines, spotKind } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { applySpotCluster } from '../lab/spot-cluster.ts'
import { forge, forged, type Prey } from './tenant.ts'

type Phased = Machine & { status?: { phase?: string } }

interface Place {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
  readonly workloadKubeconfig: string
}

const main = 'herd'
const settleMs = 300_000

/** The machines of a run, and the acts of users, core and the cloud. */
export class Herd {
  readonly #place: Place
  readonly #infraMachines: Resource
  #random: () => number = () => 0
  #others = 0

  constructor(place: Place) {
    this.#place = place
    this.#infraMachines = spotKind(`${place.cloud.prefix}Machine`)
  }

  /** From now on these numbers choose the victims. */
  drawFrom(random: () => number): void {
    this.#random = random
  }

  async begin(workers: number): Promise<void> {
    await this.#apply(main, workers)
  }

  /** Scales to this number, while there is only the first cluster. */
  async grow(workers: number): Promise<void> {
    const { lab, namespace } = this.#place
    const patch = { spec: { replicas: workers } }
    for (const { metadata } of await this.#list<KubeObject>(machineDeployments)) {
      await lab.client.mergePatch(machineDeployments, { namespace, name: metadata.name }, { patch }, lab.ctx)
    }
  }

  /** A tenant of the same namespace writes false claims about instances of others. */
  async sufferForgery(prey: Prey): Promise<void> {
    const { lab, cloud, namespace } = this.#place
    await forge({ lab, cloud, namespace, cluster: main }, prey)
  }

  /** Another cluster with a machine of its own. */
  async anotherCluster(): Promise<void> {
    this.#others += 1
    await this.#apply(`${main}-${this.#others}`, 1)
  }

  /** A user deletes a machine: a running one or, half of the time, one that is being launched. Core creates another. */
  async deleteOne(): Promise<void> {
    const there = (await this.#machines()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const [running, launching] = [there.filter(isRunning), there.filter((one) => !isRunning(one))]
    const isEarly = this.#random() < 0.5 && launching.length > 0
    const one = this.#oneOf(isEarly ? launching : running)
    if (one) await this.#delete(one)
  }

  /** The cloud has no capacity for the next machine. The parts that it made before the refusal have to go. */
  async refuseOne(): Promise<void> {
    this.#place.cloud.control.noCapacity()
    await this.deleteOne()
  }

  endRefusals(): void {
    this.#place.cloud.control.capacityBack()
  }

  /** The cloud takes an instance back. */
  async interruptOne(): Promise<void> {
    const { cloud } = this.#place
    const served = (await this.#infra()).filter(({ status }) => isReady(status?.conditions) && status?.instanceState)
    const ids = new Set(served.map(idOf))
    const one = this.#oneOf(cloud.alive().filter(({ id, state }) => ids.has(id) && /running$/i.test(state)))
    if (one) cloud.control.interrupt(one.id)
  }

  /** Waits until the wanted number of machines runs, and none is starting. Returns them. */
  async settled(workers: number): Promise<InfraMachine[]> {
    const wanted = workers + this.#others
    return eventually(
      `${wanted} machines run, and none is on its way`,
      async () => {
        const phases = (await this.#machines()).map(({ status }) => status?.phase ?? 'none')
        assert.deepEqual(
          phases,
          Array.from({ length: wanted }, () => 'Running'),
        )
        const infra = await this.#infra()
        assert.equal(infra.length, wanted)
        return infra
      },
      { timeoutMs: settleMs, everyMs: 500 },
    )
  }

  /** Waits until the manager has reported that another one has the owner id of the first cluster. */
  async isShared(): Promise<void> {
    const { lab, cloud, namespace } = this.#place
    const kind = spotKind(`${cloud.prefix}Cluster`)
    await eventually(
      'the manager knows of the other one',
      async () => {
        const { metadata } = await lab.client.get(kind, { namespace, name: main }, lab.ctx)
        assert.notEqual(metadata.annotations?.[annotations.ownerIdShared], undefined)
      },
      { timeoutMs: 120_000, everyMs: 500 },
    )
  }

  /** Makes the manager reconcile each infrastructure cluster. */
  async wakeClusters(): Promise<void> {
    const { lab, cloud, namespace } = this.#place
    const kind = spotKind(`${cloud.prefix}Cluster`)
    const patch = { metadata: { annotations: { woken: String(Math.random()) } } }
    for (const { metadata } of await this.#list<KubeObject>(kind)) {
      await lab.client.mergePatch(kind, { namespace, name: metadata.name }, { patch }, lab.ctx)
    }
  }

  /** The instance of each machine, from the cloud. */
  async instances(): Promise<ReadonlySet<string>> {
    return new Set((await this.#infra()).flatMap((machine) => idOf(machine) ?? []))
  }

  /** Returns the Clusters that cannot be deleted, because they wait for an instance that nothing ends. */
  async disband(): Promise<readonly string[]> {
    const { lab, namespace } = this.#place
    await this.#endForgery()
    const left = async () => (await this.#list<KubeObject>(clusters)).map(({ metadata }) => metadata.name)
    for (const name of await left()) await lab.client.delete(clusters, { namespace, name }, {}, lab.ctx)
    const areGone = async () => assert.deepEqual(await left(), [])
    await eventually('all clusters are gone', areGone, { timeoutMs: settleMs, everyMs: 500 }).catch(() => undefined)
    return left()
  }

  /** Acts as a person who follows the conditions: an attempt that does not fit stays until a person removes it. */
  async #endForgery(): Promise<void> {
    const { lab, namespace } = this.#place
    const patch = { metadata: { annotations: { [annotations.attempt]: null } } }
    for (const infra of await this.#list<InfraMachine>(this.#infraMachines)) {
      if (isTrue(infra)) continue
      await lab.client.mergePatch(this.#infraMachines, { namespace, name: infra.metadata.name }, { patch }, lab.ctx)
    }
  }

  async #apply(name: string, workers: number): Promise<void> {
    const { lab, cloud, namespace, workloadKubeconfig } = this.#place
    const values = { WORKLOAD_KUBECONFIG_B64: Buffer.from(workloadKubeconfig).toString('base64') }
    // Every machine that ran counts as served, however briefly, and a refused one retries soon. Here that is the rule.
    const spec = { clusterName: name, minHealthySeconds: 0, backoff: { initialSeconds: 2, maxSeconds: 10 } }
    const policy = { metadata: { name, namespace }, spec }
    await lab.client.create(interruptionPolicies, policy, lab.ctx)
    await applySpotCluster(lab, { name, namespace, workers, cloud, values })
  }

  async #delete({ metadata: { name } }: Machine): Promise<void> {
    const { lab, namespace } = this.#place
    await lab.client.delete(machines, { namespace, name }, {}, lab.ctx)
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)]
  }

  async #machines(): Promise<Phased[]> {
    return (await this.#list<Phased>(machines)).filter(isTrue)
  }

  async #infra(): Promise<InfraMachine[]> {
    return (await this.#list<InfraMachine>(this.#infraMachines)).filter(isTrue)
  }

  async #list<T>(resource: Resource): Promise<T[]> {
    const { lab, namespace } = this.#place
    return (await lab.client.list<T>(resource, { namespace }, lab.ctx)).items
  }
}

/** Whether it belongs to the herd. */
function isTrue({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.labels?.[forged.key] !== forged.value
}

function isRunning({ status }: Phased): boolean {
  return status?.phase === 'Running'
}

function idOf({ status }: InfraMachine): string | undefined {
  return status?.instanceID?.split('/').at(-1)
}

function isReady(conditions: Parameters<typeof findCondition>[0]): boolean {
  return findCondition(conditions, 'Ready')?.status === 'True'
}
