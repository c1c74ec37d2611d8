import path from 'node:path'
import { expect } from 'vitest'
import type { AWSMachine } from '../../api/generated/aws-machine.ts'
import { findCondition, type Condition } from '../../api/conditions.ts'
import { clusters, machines, nodes, secrets } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { clouds } from '../../providers/registry.ts'
import type { ControlPlaneFaults } from '../lab/control-plane.ts'
import { quickCore } from '../lab/core.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import type { ClusterAccess } from '../lab/management-cluster.ts'
import type { Manifest } from '../lab/objects.ts'
import { applySpotCluster } from '../lab/spot-cluster.ts'
import type { InstanceView } from '../simulators/aws/control.ts'
import type { AwsSimulator } from '../simulators/aws/simulator.ts'

export const awsMachines: Resource = clouds.aws.machines
export const awsClusters: Resource = clouds.aws.clusters
export const machineDeployments: Resource = { ...machines, plural: 'machinedeployments', kind: 'MachineDeployment' }

/** For the environment of a manager whose clock is to be taken on, five minutes with each SIGUSR2. */
export const jumpingClock: NodeJS.ProcessEnv = {
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, '..', 'lab', 'time-jump.ts')}`,
}

const quickCloud = { bootMs: 300, stopMs: 100, shutdownMs: 100 }

export interface Node extends KubeObject {
  spec?: { providerID?: string }
}

/** One cluster of the examples, in a namespace of its own, with a manager that looks nowhere else. */
export class SpotRig implements AsyncDisposable {
  readonly lab: Lab
  readonly aws: AwsSimulator
  readonly namespace: string

  private constructor(lab: Lab, namespace: string) {
    this.lab = lab
    this.aws = lab.aws
    this.namespace = namespace
  }

  static async start(cluster: ClusterAccess): Promise<SpotRig> {
    const lab = await startLab({ cluster, delays: quickCloud })
    return new SpotRig(lab, await lab.namespace('spot'))
  }

  /** In another namespace, with a manager of its own, in the same management cluster and account. */
  static async beside({ lab: { cluster, aws: account } }: SpotRig): Promise<SpotRig> {
    const lab = await startLab({ cluster, account })
    return new SpotRig(lab, await lab.namespace('spot'))
  }

  /** In a management cluster of its own, which a test may hurt; in another rig's account, where one is given. */
  static async alone(account?: AwsSimulator): Promise<SpotRig> {
    const lab = await startLab({ core: quickCore, delays: quickCloud, ...(account ? { account } : {}) })
    return new SpotRig(lab, 'default')
  }

  get controlPlane(): ControlPlaneFaults {
    if (!this.lab.controlPlane) throw new Error('Other tests need this control plane: start the rig alone.')
    return this.lab.controlPlane
  }

  /** The manager as it is deployed, but for a quicker poll. Resolves when it has begun. */
  async startManager(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<void> {
    const { manager } = this.lab
    const said = manager.logs().length
    await manager.start({
      args: ['--poll-interval', '1s', '--namespace', this.namespace, ...args],
      env: { AWS_SECRET_ACCESS_KEY: 'secret-canary', ...env },
    })
    await eventually('the manager begins', () => expect(manager.logs().slice(said)).toContain('"Starting"'))
  }

  /** Applies the examples, filled in with the simulator's facts. */
  async applyExamples(
    workers: number,
    more: Readonly<Record<string, string>> = {},
    labels: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const values = { JOIN_TOKEN: 'abcdef.token-canary', ...more }
    await applySpotCluster(this.lab, { name: 'c1', namespace: this.namespace, workers, values, labels })
  }

  async list<T>(resource: Resource): Promise<T[]> {
    const { items } = await this.lab.client.list<T>(resource, { namespace: this.namespace }, this.lab.ctx)
    return items
  }

  awsMachines(): Promise<AWSMachine[]> {
    return this.list<AWSMachine>(awsMachines)
  }

  /** The Nodes of our instances; other tests have Nodes on the same API server. */
  async nodes(): Promise<Node[]> {
    const mine = new Set((await this.awsMachines()).map(({ spec }) => spec.providerID))
    const { items } = await this.lab.client.list<Node>(nodes, {}, this.lab.ctx)
    return items.filter(({ spec }) => mine.has(spec?.providerID))
  }

  /** Instances of this rig that are not ended. */
  alive(): { id: string; state: string }[] {
    return this.aws.control.instances().filter(({ state }) => state !== 'terminated' && state !== 'shutting-down')
  }

  /** As EC2 shows it. */
  instance(id: string): InstanceView | undefined {
    return this.aws.control.instances().find((instance) => instance.id === id)
  }

  calls(action: string): number {
    return this.aws.control.requests().filter((request) => request.action === action).length
  }

  /** So many polls of the cloud, from now on. */
  async afterPolls(count: number): Promise<void> {
    const before = this.calls('DescribeInstances')
    const check = () => expect(this.calls('DescribeInstances')).toBeGreaterThanOrEqual(before + count)
    await eventually(`${count} more polls`, check, { timeoutMs: 10_000 + count * 2_000 })
  }

  /** Has its controller look at an object again. */
  async wake(resource: Resource, name: string): Promise<void> {
    const patch = { metadata: { annotations: { woken: String(Math.random()) } } }
    await this.lab.client.mergePatch(resource, { namespace: this.namespace, name }, { patch }, this.lab.ctx)
  }

  /** Deletes a Secret; the answer brings it back. */
  async takeSecretAway(name: string): Promise<() => Promise<void>> {
    const ref = { namespace: this.namespace, name }
    const { metadata, ...rest } = await this.lab.client.get<Manifest>(secrets, ref, this.lab.ctx)
    await this.lab.client.delete(secrets, ref, {}, this.lab.ctx)
    const secret: Manifest = { ...rest, metadata: { ...ref, labels: metadata.labels ?? {} } }
    return async () => {
      await this.lab.apply([secret])
    }
  }

  /** The sweep counts in minutes: takes the manager's clock five of them on and has it look. It needs `jumpingClock`. */
  async sweepLater(): Promise<void> {
    this.lab.manager.kill('SIGUSR2')
    await this.afterPolls(1)
    await this.wake(awsClusters, 'c1')
    await this.afterPolls(2)
  }

  async scaleTo(replicas: number): Promise<void> {
    const ref = { namespace: this.namespace, name: 'c1-spot' }
    await this.lab.client.mergePatch(machineDeployments, ref, { patch: { spec: { replicas } } }, this.lab.ctx)
  }

  /** `replicas` Machines that core itself calls Running, each with its own instance and Node. */
  async running(replicas: number): Promise<AWSMachine[]> {
    return eventually(
      `${replicas} machines run`,
      async () => {
        const core = await this.list<Machine & { status?: { phase?: string } }>(machines)
        expect(core.map(({ status }) => status?.phase)).toEqual(Array.from({ length: replicas }, () => 'Running'))
        return this.awsMachines()
      },
      { timeoutMs: 60_000 },
    )
  }

  /** As a user: deletes the Cluster and waits until core has let go of it. */
  async deleteCluster(): Promise<void> {
    const ref = { namespace: this.namespace, name: 'c1' }
    await this.lab.client.delete(clusters, ref, {}, this.lab.ctx)
    await eventually(
      'the Cluster is gone',
      async () => expect((await this.list<KubeObject>(clusters)).map(({ metadata }) => metadata)).toEqual([]),
      { timeoutMs: 90_000 },
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab.stop()
  }
}

/** The id in its providerID; empty while it has none. */
export function instanceOf(machine: AWSMachine | undefined): string {
  return machine?.spec.providerID?.split('/').at(-1) ?? ''
}

export function readyOf(machine: AWSMachine | undefined): Condition | undefined {
  return findCondition(machine?.status?.conditions, 'Ready')
}
