import { expect, inject } from 'vitest'
import { readBackoff } from '../../../api/rules/backoff-annotation.ts'
import { findCondition, type Condition } from '../../../api/conditions.ts'
import { clusters, interruptionPolicies, machineHealthChecks, machines, spotKind } from '../../../api/kinds.ts'
import { annotations, remediationDue } from '../../../api/labels.ts'
import type { InfraMachine, Machine } from '../../../api/machine.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import type { BackoffGroup } from '../../../api/rules/backoff-group.ts'
import type { LabCloud } from '../../lab/clouds/cloud.ts'
import type { LabCloudName } from '../../lab/clouds/start.ts'
import { eventually } from '../../lab/eventually.ts'
import { startLab, type Lab, type LabOptions } from '../../lab/lab.ts'
import type { ClusterAccess } from '../../lab/processes/management-cluster.ts'
import type { Manifest } from '../../lab/objects.ts'
import { spotClusterManifests } from '../../lab/spot-cluster.ts'
import { instanceOf } from './cloud-cluster.ts'

export const quickCloud = { bootMs: 300, stopMs: 100, shutdownMs: 100, noticeMs: 100 }
const patience = { timeoutMs: 90_000 }

interface Labelled extends Manifest {
  spec: { template: { spec: object; metadata?: { labels?: Record<string, string> } } }
}

/** A Cluster of each cloud in one namespace, with its manager, and core that replaces its Machines. */
export class RemediationRig implements AsyncDisposable {
  readonly lab: Lab
  readonly namespace: string

  protected constructor(lab: Lab, namespace: string) {
    this.lab = lab
    this.namespace = namespace
  }

  static async start(
    cluster: ClusterAccess,
    options: Pick<LabOptions, 'clouds' | 'nodes'> = {},
  ): Promise<RemediationRig> {
    const lab = await startLab({ cluster, manager: inject('manager'), delays: quickCloud, ...options })
    const rig = new RemediationRig(lab, await lab.namespace('remediation'))
    await rig.startManager()
    return rig
  }

  startManager(args: readonly string[] = []): Promise<void> {
    return this.lab.manager.start({ args: ['--poll-interval', '1s', '--namespace', this.namespace, ...args] })
  }

  cloud(name: LabCloudName): LabCloud {
    const cloud = this.lab.clouds.find((one) => one.name === name)
    if (!cloud) throw new Error(`The lab has no ${name}.`)
    return cloud
  }

  /** The examples of a cloud, as Cluster `name`. */
  async apply(name: LabCloudName, workers: number, machineSpec: object = {}): Promise<void> {
    const cloud = this.cloud(name)
    const manifests = await spotClusterManifests(this.lab, { name, namespace: this.namespace, workers, cloud })
    const template = manifests.find(({ kind }) => kind === `${cloud.prefix}MachineTemplate`) as Labelled | undefined
    if (template) Object.assign(template.spec.template.spec, machineSpec)
    await this.lab.apply(manifests)
  }

  async policy(clusterName: string, spec: object, name = clusterName): Promise<void> {
    const metadata = { name, namespace: this.namespace }
    const { client, ctx } = this.lab
    await client.create(interruptionPolicies, { metadata, spec: { clusterName, ...spec } } as KubeObject, ctx)
  }

  machines(cluster: string): Promise<Machine[]> {
    return this.list<Machine>(machines, cluster)
  }

  infraMachines(name: LabCloudName): Promise<InfraMachine[]> {
    return this.list<InfraMachine>(spotKind(`${this.cloud(name).prefix}Machine`), name)
  }

  healthChecks(cluster: string): Promise<KubeObject[]> {
    return this.list<KubeObject>(machineHealthChecks, cluster)
  }

  /** Waits for this number of Machines that core calls Running. Returns their infra machines. */
  async running(name: LabCloudName, replicas: number, without?: InfraMachine): Promise<InfraMachine[]> {
    return eventually(
      `${replicas} machines of ${name} run`,
      async () => {
        const core = (await this.machines(name)) as (Machine & { status?: { phase?: string } })[]
        expect(core.map(({ status }) => status?.phase)).toEqual(Array.from({ length: replicas }, () => 'Running'))
        const infra = await this.infraMachines(name)
        expect(infra).toHaveLength(replicas)
        expect(infra.map(({ metadata }) => metadata.name)).not.toContain(without?.metadata.name)
        return infra
      },
      // Frequent lists of many machines would keep the API server busy.
      { timeoutMs: patience.timeoutMs + 1_000 * replicas, everyMs: 100 + 10 * replicas },
    )
  }

  /** `noticeMs`: how long its instance runs on. */
  interrupt(name: LabCloudName, machine: InfraMachine | undefined, noticeMs?: number): void {
    this.cloud(name).control.interrupt(instanceOf(machine), noticeMs)
  }

  creates(name: LabCloudName): number {
    const { control, createAction } = this.cloud(name)
    return control.requests().filter(({ action }) => action === createAction).length
  }

  /** The condition of the remediation controller on each Machine; undefined without one. */
  async due(cluster: string): Promise<(Condition | undefined)[]> {
    return (await this.machines(cluster)).map(({ status }) => findCondition(status?.conditions, remediationDue))
  }

  /** The backoff on the infrastructure cluster, by group. */
  async backoff(name: LabCloudName): Promise<Record<string, BackoffGroup>> {
    const kind = spotKind(`${this.cloud(name).prefix}Cluster`)
    const { metadata } = await this.lab.client.get(kind, { namespace: this.namespace, name }, this.lab.ctx)
    const shares = [...readBackoff(metadata.annotations?.[annotations.backoff]).values()]
    return Object.fromEntries(shares.flatMap((groups) => [...groups]))
  }

  /**
   * Deletes it with everything that the test created for it, because another test may create a Cluster of that name.
   */
  async deleteCluster(name: string): Promise<void> {
    for (const resource of [interruptionPolicies, machineHealthChecks]) {
      const made = await this.list<Manifest & { spec: { clusterName: string } }>(resource)
      await this.lab.delete(
        made
          .filter(({ spec }) => spec.clusterName === name)
          .map(({ metadata }) => ({
            apiVersion: `${resource.group}/${resource.version}`,
            kind: resource.kind,
            metadata,
          })),
      )
    }
    await this.lab.client.delete(clusters, { namespace: this.namespace, name }, {}, this.lab.ctx)
    await eventually(
      `Cluster ${name} is gone`,
      async () =>
        expect((await this.list<KubeObject>(clusters)).map(({ metadata }) => metadata.name)).not.toContain(name),
      patience,
    )
  }

  async nothingLeft(name: LabCloudName): Promise<void> {
    await eventually(`${name} holds nothing of ours`, () => expect(this.cloud(name).leftovers()).toBe(0), patience)
  }

  /** Of one Cluster, or of the whole namespace. */
  async list<T>(resource: Resource, cluster?: string): Promise<T[]> {
    const labelSelector = cluster === undefined ? undefined : `cluster.x-k8s.io/cluster-name=${cluster}`
    const { namespace, lab } = this
    const { items } = await lab.client.list<T>(resource, { namespace, labelSelector }, lab.ctx)
    return items
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab.stop()
  }
}
