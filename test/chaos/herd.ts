import assert from 'node:assert/strict'
import type { DrainTime } from '../../api/interruption.ts'
import { clusters, interruptionPolicies, machineDeployments, machines, nodes, spotKind } from '../../api/kinds.ts'
import { annotations, interrupted } from '../../api/labels.ts'
import type { InfraMachine, Machine, Node } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { withFallback } from '../lab/with-fallback.ts'
import { spotClusterManifests } from '../lab/spot-cluster.ts'
import { Announcer } from './announcer.ts'
import type { Ends } from './fates.ts'
import { idOf, isTrue, Members, type Phased, type Place } from './members.ts'
import { forge, type Prey } from './tenant.ts'

const main = 'herd'
const settleMs = 300_000

/** The machines of a run, and the acts of users, core and the cloud. */
export class Herd {
  readonly #place: Place
  readonly #members: Members
  readonly #announcer: Announcer
  /** The uids of the Machines that users deleted. */
  readonly #deleted = new Set<string>()
  #random: () => number = () => 0
  #others = 0

  constructor(place: Place) {
    this.#place = place
    this.#members = new Members(place)
    this.#announcer = new Announcer(place, this.#members)
  }

  /** Who has announced the ends of instances, and of which. */
  get announcer(): Pick<Announcer, 'notices' | 'held' | 'settled'> {
    return this.#announcer
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
    for (const { metadata } of await this.#members.list<KubeObject>(machineDeployments)) {
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
    const there = (await this.#members.machines()).filter((one) => this.#mayBeDeleted(one))
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

  /** The cloud has none of one type for the next machine, which goes on with the other. */
  async fallBackOne(): Promise<void> {
    const { control, types } = this.#place.cloud
    control.capacityBack()
    // What took an instance back is the last choice, so the machine may ask for either first.
    control.noCapacity({ instanceType: this.#random() < 0.5 ? types.usual : types.other })
    await this.deleteOne()
  }

  endRefusals(): void {
    this.#place.cloud.control.capacityBack()
  }

  /** The cloud takes an instance back at once. */
  interruptOne(): Promise<void> {
    return this.#announcer.interrupt(this.#random)
  }

  /** The end of an instance is announced. */
  noticeOne(drain: DrainTime): Promise<void> {
    return this.#announcer.notice(drain, this.#random)
  }

  /** The end of an instance is announced, and a PodDisruptionBudget holds a Pod on its Node. */
  holdOne(): Promise<void> {
    return this.#announcer.hold(this.#random)
  }

  /** What became of notices so far, beside the fates of the Machines. */
  async ends(): Promise<Omit<Ends, 'fates'>> {
    const { announced } = this.#announcer
    const uncalled = await this.#announcer.uncalled()
    return { announced, deleted: this.#deleted, uncalled, tainted: await this.#tainted(announced) }
  }

  /** Waits until the wanted number of machines runs, and none is starting. Returns them. */
  async settled(workers: number): Promise<InfraMachine[]> {
    const wanted = workers + this.#others
    return eventually(
      `${wanted} machines run, and none is on its way`,
      async () => {
        const phases = (await this.#members.machines()).map(({ status }) => status?.phase ?? 'none')
        assert.deepEqual(
          phases,
          Array.from({ length: wanted }, () => 'Running'),
        )
        const infra = await this.#members.infra()
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
    for (const { metadata } of await this.#members.list<KubeObject>(kind)) {
      await lab.client.mergePatch(kind, { namespace, name: metadata.name }, { patch }, lab.ctx)
    }
  }

  /** The instance of each machine, from the cloud. */
  async instances(): Promise<ReadonlySet<string>> {
    return new Set((await this.#members.infra()).flatMap((machine) => idOf(machine) ?? []))
  }

  /** Returns the Clusters that cannot be deleted, because they wait for an instance that nothing ends. */
  async disband(): Promise<readonly string[]> {
    const { lab, namespace } = this.#place
    await this.#endForgery()
    const left = async () => (await this.#members.list<KubeObject>(clusters)).map(({ metadata }) => metadata.name)
    for (const name of await left()) await lab.client.delete(clusters, { namespace, name }, {}, lab.ctx)
    const areGone = async () => assert.deepEqual(await left(), [])
    await eventually('all clusters are gone', areGone, { timeoutMs: settleMs, everyMs: 500 }).catch(() => undefined)
    return left()
  }

  /** Acts as a person who follows the conditions: an attempt that does not fit stays until a person removes it. */
  async #endForgery(): Promise<void> {
    const { lab, namespace } = this.#place
    const patch = { metadata: { annotations: { [annotations.attempt]: null } } }
    for (const infra of await this.#members.list<InfraMachine>(this.#members.infraMachines)) {
      if (isTrue(infra)) continue
      await lab.client.mergePatch(
        this.#members.infraMachines,
        { namespace, name: infra.metadata.name },
        { patch },
        lab.ctx,
      )
    }
  }

  async #apply(name: string, workers: number): Promise<void> {
    const { lab, cloud, namespace, workloadKubeconfig } = this.#place
    const values = { WORKLOAD_KUBECONFIG_B64: Buffer.from(workloadKubeconfig).toString('base64') }
    // Every machine that ran counts as served, however briefly, and a refused one retries soon. Here that is the rule.
    const { terms } = this.#announcer
    const spec = { clusterName: name, minHealthySeconds: 0, ...terms, backoff: { initialSeconds: 2, maxSeconds: 10 } }
    const policy = { metadata: { name, namespace }, spec }
    await lab.client.create(interruptionPolicies, policy, lab.ctx)
    const manifests = await spotClusterManifests(lab, { name, namespace, workers, cloud, values })
    await lab.apply(manifests.map((manifest) => withFallback(manifest, cloud)))
  }

  async #delete({ metadata: { name, uid = '' } }: Machine): Promise<void> {
    const { lab, namespace } = this.#place
    this.#deleted.add(uid)
    await lab.client.delete(machines, { namespace, name }, {}, lab.ctx)
  }

  #mayBeDeleted({ metadata: { uid, deletionTimestamp } }: Machine): boolean {
    return deletionTimestamp === undefined && !this.#announcer.isHolding(uid)
  }

  /** The Nodes of Machines without a notice that have the taint of one. */
  async #tainted(announced: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const { lab } = this.#place
    const { items } = await lab.client.list<Node>(nodes, {}, lab.ctx)
    const tainted = items.filter(({ spec }) => spec?.taints?.some(({ key }) => key === interrupted.key))
    const names = new Set(tainted.map(({ metadata }) => metadata.name))
    const serving = await this.#members.serving()
    return serving
      .filter(({ machine, node }) => names.has(node) && !announced.has(machine.metadata.uid ?? ''))
      .map(({ node }) => node)
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)]
  }
}

function isRunning({ status }: Phased): boolean {
  return status?.phase === 'Running'
}
