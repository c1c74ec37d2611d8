import { expect, inject } from 'vitest'
import type { Resource } from '../../../api/meta.ts'
import { labCloudNames, type LabCloudName } from '../../lab/clouds/start.ts'
import type { ControlPlaneFaults } from '../../lab/processes/control-plane.ts'
import { startLab, type Lab, type LabOptions } from '../../lab/lab.ts'
import type { ClusterAccess } from '../../lab/processes/management-cluster.ts'
import { CloudCluster } from './cloud-cluster.ts'
import { patiently } from '../seen/patiently.ts'

const quickClouds = { bootMs: 300, stopMs: 100, shutdownMs: 100, noticeMs: 100 }

/** Tests of what is common to all clouds take minutes on four, so they run on one; with CAPSPOT_LONG on all. */
export const oneCloud: readonly LabCloudName[] = process.env['CAPSPOT_LONG'] ? labCloudNames : ['aws']

/** All clouds side by side: one namespace, one manager, and in each cloud a cluster with the cloud's name. */
export class CloudsRig implements AsyncDisposable {
  readonly lab: Lab
  readonly namespace: string
  readonly clusters: readonly CloudCluster[]

  private constructor(lab: Lab, namespace: string) {
    this.lab = lab
    this.namespace = namespace
    this.clusters = lab.clouds.map((cloud) => new CloudCluster({ lab, cloud, namespace, name: cloud.name }))
  }

  static async start(cluster: ClusterAccess, clouds: readonly LabCloudName[] = labCloudNames): Promise<CloudsRig> {
    const lab = await startLab({ cluster, manager: inject('manager'), clouds, delays: quickClouds })
    return new CloudsRig(lab, await lab.namespace('clouds'))
  }

  /** In another namespace, with a manager of its own, in the same management cluster and accounts. */
  static async beside({ lab: { cluster, ...accounts } }: CloudsRig): Promise<CloudsRig> {
    const lab = await startLab({ cluster, manager: inject('manager'), accounts })
    return new CloudsRig(lab, await lab.namespace('clouds'))
  }

  /** In its own management cluster, which a test may harm, or in another rig's accounts. */
  static async alone(
    other?: CloudsRig,
    options: Pick<LabOptions, 'install' | 'clouds' | 'kubeControllers'> = {},
  ): Promise<CloudsRig> {
    const clouds = other ? { accounts: other.lab } : { clouds: labCloudNames, delays: quickClouds }
    return new CloudsRig(await startLab({ manager: inject('manager'), ...clouds, ...options }), 'default')
  }

  /** Runs the same in every cloud at once, in the order of the clouds. An error names its cloud. */
  async each<T>(what: (one: CloudCluster) => Promise<T>): Promise<T[]> {
    const outcomes = await Promise.allSettled(this.clusters.map(what))
    const failures = outcomes.flatMap((outcome, at) =>
      outcome.status === 'rejected' ? [`${this.clusters[at]?.name}: ${String(outcome.reason)}`] : [],
    )
    const [first] = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    if (first) throw new Error(failures.join('\n'), { cause: first.reason })
    return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<T>).value)
  }

  /** The machines of all clusters. */
  async list<T>(resource: Resource): Promise<T[]> {
    const { items } = await this.lab.client.list<T>(resource, { namespace: this.namespace }, this.lab.ctx)
    return items
  }

  get controlPlane(): ControlPlaneFaults {
    if (!this.lab.controlPlane) throw new Error('Other tests need this control plane: start the rig alone.')
    return this.lab.controlPlane
  }

  /**
   * Starts the manager with its usual options and a quicker poll. A Lease has to be requested. Resolves when it has
   * begun.
   */
  async startManager(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<void> {
    const { manager } = this.lab
    const said = manager.logs().length
    await manager.start({ args: ['--poll-interval', '1s', '--namespace', this.namespace, ...args], env })
    await patiently('the manager begins', () => expect(manager.logs().slice(said)).toContain('"Starting"'))
  }

  async killManager(): Promise<void> {
    this.lab.manager.kill('SIGKILL')
    await this.lab.manager.exited
  }

  /** The sweep takes minutes: moves the manager's clock five of them and triggers it. It needs `jumpingClock`. */
  async sweepLater(): Promise<void> {
    this.lab.manager.kill('SIGUSR2')
    await this.each(async (one) => {
      await one.afterPolls(1)
      await one.wake(one.clusterKind, one.name)
      await one.afterPolls(2)
    })
  }

  /** Long enough for every suspect to be ended. */
  async sweepLong(): Promise<void> {
    for (let minutes = 0; minutes <= 20; minutes += 5) await this.sweepLater()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab.stop()
  }
}
