import assert from 'node:assert/strict'
import { findCondition } from '../../api/conditions.ts'
import { clusters, machines, spotKind } from '../../api/kinds.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { applySpotCluster } from '../lab/spot-cluster.ts'

type Phased = Machine & { status?: { phase?: string } }

interface Place {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
  readonly workloadKubeconfig: string
}

const main = 'herd'
const settleMs = 180_000

/** The machines of a run, with what users, core and the cloud do to them. */
export class Herd {
  readonly #place: Place
  readonly #random: () => number
  readonly #infraMachines: Resource
  #others = 0

  constructor(place: Place, random: () => number) {
    this.#place = place
    this.#random = random
    this.#infraMachines = spotKind(`${place.cloud.prefix}Machine`)
  }

  async grow(workers: number): Promise<void> {
    await this.#apply(main, workers)
  }

  /** Another cluster with a machine of its own. */
  async anotherCluster(): Promise<void> {
    this.#others += 1
    await this.#apply(`${main}-${this.#others}`, 1)
  }

  /** Somebody deletes a machine that runs; core makes another one. */
  async deleteOne(): Promise<void> {
    const one = this.#oneOf((await this.#machines()).filter(isRunning))
    if (one) await this.#delete(one)
  }

  /** The cloud takes an instance back. */
  async interruptOne(): Promise<void> {
    const { cloud } = this.#place
    const served = (await this.#infra()).filter(({ status }) => isReady(status?.conditions) && status?.instanceState)
    const ids = new Set(served.map(({ spec }) => spec.providerID?.split('/').at(-1)))
    const one = this.#oneOf(cloud.alive().filter(({ id }) => ids.has(id)))
    if (one) cloud.control.interrupt(one.id)
  }

  /** What a health check does: machines whose instance is gone are deleted, and core makes others. */
  async removeInterrupted(): Promise<void> {
    const isOver = ({ status }: InfraMachine) => findCondition(status?.conditions, 'Ready')?.status === 'False'
    const over = new Set((await this.#infra()).filter(isOver).map(({ metadata }) => metadata.name))
    const those = (await this.#machines()).filter(({ metadata }) => over.has(metadata.name))
    await Promise.all(those.map((machine) => this.#delete(machine)))
  }

  /** Until as many machines as were ever wanted run, and none is on its way. Answers with them. */
  async settled(workers: number): Promise<InfraMachine[]> {
    const wanted = workers + this.#others
    return eventually(
      `${wanted} machines run, and none is on its way`,
      async () => {
        await this.removeInterrupted()
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

  async disband(): Promise<void> {
    const { lab, namespace } = this.#place
    for (const { metadata } of await this.#list<KubeObject>(clusters)) {
      await lab.client.delete(clusters, { namespace, name: metadata.name }, {}, lab.ctx)
    }
    const areGone = async () => assert.deepEqual(await this.#list<KubeObject>(clusters), [])
    await eventually('all clusters are gone', areGone, { timeoutMs: settleMs, everyMs: 500 })
  }

  async #apply(name: string, workers: number): Promise<void> {
    const { lab, cloud, namespace, workloadKubeconfig } = this.#place
    const values = { WORKLOAD_KUBECONFIG_B64: Buffer.from(workloadKubeconfig).toString('base64') }
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
    return this.#list<Phased>(machines)
  }

  async #infra(): Promise<InfraMachine[]> {
    return this.#list<InfraMachine>(this.#infraMachines)
  }

  async #list<T>(resource: Resource): Promise<T[]> {
    const { lab, namespace } = this.#place
    return (await lab.client.list<T>(resource, { namespace }, lab.ctx)).items
  }
}

function isRunning({ status, metadata }: Phased): boolean {
  return status?.phase === 'Running' && metadata.deletionTimestamp === undefined
}

function isReady(conditions: Parameters<typeof findCondition>[0]): boolean {
  return findCondition(conditions, 'Ready')?.status === 'True'
}
