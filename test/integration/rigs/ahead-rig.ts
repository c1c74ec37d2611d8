import { expect, inject } from 'vitest'
import { findCondition, type Condition } from '../../../api/conditions.ts'
import { readInterruption, type Interruption } from '../../../api/interruption.ts'
import { clusters, externalControlPlanes, machineDeployments, machines, machineSets } from '../../../api/kinds.ts'
import { core, requests } from '../../../api/labels.ts'
import type { InfraMachine, Machine, MachineSet } from '../../../api/machine.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import { events } from '../../../controllers/runtime/controller/events.ts'
import { eventually } from '../../lab/eventually.ts'
import { startLab, type LabOptions } from '../../lab/lab.ts'
import type { ClusterAccess } from '../../lab/processes/management-cluster.ts'
import type { Manifest } from '../../lab/objects.ts'
import { spotClusterManifests } from '../../lab/spot-cluster.ts'
import { isAtHook, isAvailable, isDetached, nameOf } from './machine-watch.ts'
import { quickCloud, RemediationRig } from './remediation-rig.ts'

const held = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/test'

/** Longer than any test. The drain would begin a minute before its end. */
const longNotice = '1h'
/** Longer than any test: no Machine counts as available. */
const neverSeconds = 3_600
const cluster = 'aws'
const patience = { timeoutMs: 90_000 }

const coreMachine = { apiVersion: `${machines.group}/${machines.version}`, kind: machines.kind }

type Workers = readonly [Machine, ...Machine[]]
type Pool = Manifest & { spec: { template: { spec: object } } }

const isPool = (object: Manifest): object is Pool => object.kind === machineDeployments.kind

/** Workers of one Cluster in EC2, called `aws`, whose instances are announced to end. */
export class AheadRig extends RemediationRig {
  static override async start(shared: ClusterAccess): Promise<AheadRig> {
    const lab = await startLab({ cluster: shared, manager: inject('manager'), delays: quickCloud })
    const rig = new AheadRig(lab, await lab.namespace('ahead'))
    await rig.startManager()
    return rig
  }

  /** In its own management cluster. */
  static async alone(options: LabOptions): Promise<AheadRig> {
    const rig = new AheadRig(await startLab({ manager: inject('manager'), delays: quickCloud, ...options }), 'default')
    await rig.startManager()
    return rig
  }

  /** Running Machines of a MachineDeployment, by name, with a policy for notices. */
  async workers(replicas: number, policy: object = {}): Promise<Workers> {
    await this.#apply(replicas, policy)
    await this.available(replicas)
    return this.#sorted()
  }

  /** The same. They run and are Ready, but neither they nor others count as available until `availableAgain`. */
  async unavailable(replicas: number, policy: object): Promise<Workers> {
    await this.#apply(replicas, policy, (all) => {
      for (const object of all) {
        if (isPool(object)) Object.assign(object.spec.template.spec, { minReadySeconds: neverSeconds })
      }
      return all
    })
    await this.running(cluster, replicas)
    return this.#sorted()
  }

  /** They run in a Cluster whose control plane core does not know. It cannot call them available. */
  async ofNoControlPlane(replicas: number): Promise<Workers> {
    await this.#apply(replicas, {}, (all) => {
      for (const { kind, spec } of all as { kind: string; spec?: { controlPlaneRef?: unknown } }[]) {
        if (kind === clusters.kind) delete spec?.controlPlaneRef
      }
      return all.filter(({ kind }) => kind !== externalControlPlanes.kind)
    })
    await this.running(cluster, replicas)
    return this.#sorted()
  }

  async #apply(workers: number, policy: object, change = (all: Manifest[]) => all): Promise<void> {
    const { lab, namespace } = this
    await this.policy(cluster, { minHealthySeconds: 0, ...policy })
    await lab.apply(change(await spotClusterManifests(lab, { name: cluster, namespace, workers })))
  }

  async #sorted(): Promise<Workers> {
    const [first, ...others] = (await this.all()).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    if (!first) throw new Error('There is no Machine.')
    return [first, ...others]
  }

  /** The first of these workers waits at our hook, and its one replacement runs, which is not available. */
  async waiting(replicas: number): Promise<Machine> {
    const [old] = await this.unavailable(replicas, { drain: 'WhenReplaced' })
    const bought = this.bought()
    await this.rehearse(old)
    await this.atHook(old, replicas)
    await this.polls(2)
    expect((await this.now(old))?.metadata.annotations).toHaveProperty([core.preDrainHook])
    expect(this.bought() - bought, 'replacements').toBe(1)
    return old
  }

  all(): Promise<Machine[]> {
    return this.machines(cluster)
  }

  async now(machine: Machine): Promise<Machine | undefined> {
    return (await this.all()).find(({ metadata }) => metadata.uid === machine.metadata.uid)
  }

  async annotate({ metadata }: Machine, added: Record<string, string | null>): Promise<void> {
    const { namespace, name } = metadata
    const { client, ctx } = this.lab
    await client.mergePatch(machines, { namespace, name }, { patch: { metadata: { annotations: added } } }, ctx)
  }

  /** It cannot begin to drain until `release`, and its instance runs on. */
  hold(machine: Machine): Promise<void> {
    return this.annotate(machine, { [held]: '' })
  }

  async release(machine: Machine): Promise<void> {
    if ((await this.now(machine))?.metadata.annotations?.[held] === undefined) return
    await this.annotate(machine, { [held]: null })
  }

  rehearse(machine: Machine, notice = longNotice): Promise<void> {
    return this.annotate(machine, { [requests.rehearse]: notice })
  }

  async patchDeployment(patch: object): Promise<void> {
    const { client, ctx } = this.lab
    await client.mergePatch(machineDeployments, { namespace: this.namespace, name: `${cluster}-spot` }, { patch }, ctx)
  }

  async patchCluster(patch: object): Promise<void> {
    const { client, ctx } = this.lab
    await client.mergePatch(clusters, { namespace: this.namespace, name: cluster }, { patch }, ctx)
  }

  async availableAgain(): Promise<void> {
    await this.patchDeployment({ spec: { template: { spec: { minReadySeconds: 0 } } } })
  }

  /** Waits until it is at our hook, and others run beside it. */
  async atHook(machine: Machine, replicas: number): Promise<void> {
    await eventually(
      'it waits at our hook, and its replacement runs beside it',
      async () => {
        const now = await this.now(machine)
        expect([now && isAtHook(now), now && isDetached(now)]).toEqual([true, true])
        const others = (await this.all()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        expect(others.filter(({ status }) => status?.nodeRef)).toHaveLength(replicas)
      },
      patience,
    )
  }

  /** Waits for this many available Machines beside those that are being deleted. */
  async available(replicas: number): Promise<Machine[]> {
    return eventually(
      `${replicas} Machines are available`,
      async () => {
        const found = (await this.all()).filter(isAvailable)
        expect(found).toHaveLength(replicas)
        return found
      },
      { timeoutMs: patience.timeoutMs + 2_000 * replicas, everyMs: 100 + 10 * replicas },
    )
  }

  async gone(machine: Machine): Promise<void> {
    await eventually(
      `${nameOf(machine)} is gone`,
      async () => expect(await this.now(machine)).toBeUndefined(),
      patience,
    )
  }

  async interruption(machine: Machine): Promise<Interruption | undefined> {
    const now = await this.now(machine)
    const reading = now && readInterruption(now)
    return reading?.is === 'ours' ? reading.interruption : undefined
  }

  async infraOf({ spec }: Machine): Promise<InfraMachine | undefined> {
    return (await this.infraMachines('aws')).find(({ metadata }) => metadata.name === spec.infrastructureRef?.name)
  }

  /** The condition InterruptionNotice. */
  async told(machine: Machine): Promise<Condition | undefined> {
    return findCondition((await this.infraOf(machine))?.status?.conditions, 'InterruptionNotice')
  }

  /** The manager has seen that its Cluster is paused. */
  async isPaused(machine: Machine): Promise<boolean> {
    return findCondition((await this.infraOf(machine))?.status?.conditions, 'Paused')?.status === 'True'
  }

  /** A copy of this worker that no MachineSet controls. Returns it when it runs. */
  async standAlone({ metadata, spec }: Machine): Promise<Machine> {
    const infra = await this.infraOf({ metadata, spec })
    if (!infra) throw new Error('The worker has no infra machine.')
    const { namespace } = this
    const meta = { namespace, name: 'stand-alone', labels: { [core.clusterName]: cluster } }
    const { clusterName, bootstrap, version, infrastructureRef } = spec
    const ref = { ...infrastructureRef, name: meta.name }
    await this.lab.apply([
      manifest(infra, meta, { ...infra.spec, providerID: undefined }),
      manifest(coreMachine, meta, { clusterName, bootstrap, version, infrastructureRef: ref }),
    ])
    return eventually(
      'the stand-alone Machine is available',
      async () => {
        const made = (await this.all()).find((machine) => nameOf(machine) === meta.name)
        if (!made || !isAvailable(made)) throw new Error('not yet')
        return made
      },
      patience,
    )
  }

  async deleteMachine({ metadata: { name } }: Machine): Promise<void> {
    await this.lab.client.delete(machines, { namespace: this.namespace, name }, {}, this.lab.ctx)
  }

  async machineSets(): Promise<(MachineSet & { status?: { replicas?: number } })[]> {
    return this.list(machineSets, cluster)
  }

  /** The messages of the events about its infra machine. */
  async events(machine: Machine, reason: string): Promise<string[]> {
    const { client, ctx } = this.lab
    const infra = await this.infraOf(machine)
    const fieldSelector = `reason=${reason},involvedObject.uid=${infra?.metadata.uid}`
    const { items } = await client.list<{ message?: string }>(events, { namespace: this.namespace, fieldSelector }, ctx)
    return items.map(({ message = '' }) => message)
  }

  /** Waits until the manager has seen the cloud this many times more. */
  async polls(count: number): Promise<void> {
    const { control, isList } = this.cloud('aws')
    const lists = () => control.requests().filter(isList).length
    const before = lists()
    await eventually(`${count} more lists`, () => expect(lists()).toBeGreaterThanOrEqual(before + count))
  }

  /** The number of instances that were ever bought. */
  bought(): number {
    return this.cloud('aws').bought().length
  }

  /** The times of the calls after this one that ask for an instance. */
  boughtAfter(ms: number): number[] {
    const { control, createAction } = this.cloud('aws')
    const calls = control.requests().filter(({ action, at }) => action === createAction && at > ms)
    return calls.map(({ at }) => at)
  }

  alive(): number {
    return this.cloud('aws').alive().length
  }

  /** Deletes the Cluster, if it is there. Nothing is stuck, and nothing is left. */
  async end(): Promise<void> {
    for (const machine of await this.all()) await this.release(machine)
    if ((await this.list(clusters)).length > 0) await this.deleteCluster(cluster)
    await this.nothingLeft('aws')
    expect((await this.all()).map(nameOf)).toEqual([])
  }
}

function manifest({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>, metadata: ObjectMeta, spec: object) {
  return Object.assign({ apiVersion, kind, metadata }, { spec })
}
