import { expect, inject } from 'vitest'
import type { AWSMachine } from '../../../api/generated/aws-machine.ts'
import type { Resource } from '../../../api/meta.ts'
import { clouds } from '../../../providers/registry.ts'
import type { ControlPlaneFaults } from '../../lab/processes/control-plane.ts'
import { eventually } from '../../lab/eventually.ts'
import { startLab, type Lab, type LabOptions } from '../../lab/lab.ts'
import type { ClusterAccess } from '../../lab/processes/management-cluster.ts'
import type { InstanceView } from '../../simulators/kit/control/instance-control.ts'
import type { AwsSimulator } from '../../simulators/aws/simulator.ts'
import { CloudCluster } from './cloud-cluster.ts'

export const awsMachines: Resource = clouds.aws.machines
export const awsClusters: Resource = clouds.aws.clusters

const quickCloud = { bootMs: 300, stopMs: 100, shutdownMs: 100 }

/** One cluster in EC2, in its own namespace, with a manager for that namespace only. */
export class SpotRig extends CloudCluster implements AsyncDisposable {
  readonly aws: AwsSimulator

  private constructor(lab: Lab, namespace: string) {
    const [cloud] = lab.clouds
    if (!cloud) throw new Error('The lab has no cloud.')
    super({ lab, cloud, namespace, name: 'c1' })
    this.aws = lab.aws
  }

  static async start(cluster: ClusterAccess): Promise<SpotRig> {
    const lab = await startLab({ cluster, manager: inject('manager'), delays: quickCloud })
    return new SpotRig(lab, await lab.namespace('spot'))
  }

  /** In its own management cluster, which a test may harm. */
  static async alone(options: Pick<LabOptions, 'kubeControllers'> = {}): Promise<SpotRig> {
    return new SpotRig(await startLab({ manager: inject('manager'), delays: quickCloud, ...options }), 'default')
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
    await manager.start({
      args: ['--poll-interval', '1s', '--namespace', this.namespace, ...args],
      env: { AWS_SECRET_ACCESS_KEY: 'secret-canary', ...env },
    })
    await eventually('the manager begins', () => expect(manager.logs().slice(said)).toContain('"Starting"'))
  }

  /** Applies the examples, with marks that must not appear anywhere else. */
  async applyExamples(workers: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.apply(workers, { values: { JOIN_TOKEN: 'abcdef.token-canary', ...more } })
  }

  awsMachines(): Promise<AWSMachine[]> {
    return this.list<AWSMachine>(awsMachines)
  }

  /** Instances of this rig that are not ended. */
  alive(): readonly { id: string; state: string }[] {
    return this.cloud.alive()
  }

  /** The state in EC2. */
  instance(id: string): InstanceView | undefined {
    return this.aws.control.instances().find((instance) => instance.id === id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab.stop()
  }
}
