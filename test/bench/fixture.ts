import { readFile } from 'node:fs/promises'
import { clusters, externalControlPlanes, machines, spotKind } from '../../api/kinds.ts'
import type { Resource } from '../../api/meta.ts'
import { clouds } from '../../providers/registry.ts'
import type { Lab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'

const spot = 'spot.cluster.x-k8s.io/v1alpha1'
const core = 'cluster.x-k8s.io/v1beta2'
export const clusterName = 'bench'

/**
 * What core would make of a MachineDeployment, made by the bench itself: so the figures are our manager's, and not those
 * of core's own pace.
 */
export class Fixture {
  readonly #lab: Lab
  readonly #namespace: string
  #ownerUid = ''

  constructor(lab: Lab, namespace: string) {
    this.#lab = lab
    this.#namespace = namespace
  }

  /** The Cluster with its infrastructure provisioned, as core would say. */
  async cluster(): Promise<void> {
    const { facts } = this.#lab.aws
    const metadata = { name: clusterName, namespace: this.#namespace }
    const refs = {
      infrastructureRef: { apiGroup: clouds.aws.clusters.group, kind: 'AWSCluster', name: clusterName },
      controlPlaneRef: { apiGroup: externalControlPlanes.group, kind: externalControlPlanes.kind, name: clusterName },
    }
    const made = await this.#lab.client.create(
      clusters,
      { apiVersion: core, kind: 'Cluster', metadata, spec: refs } as Manifest,
      this.#lab.ctx,
    )
    this.#ownerUid = (made.metadata as { uid?: string }).uid ?? ''
    const ownerReferences = [{ apiVersion: core, kind: 'Cluster', name: clusterName, uid: this.#ownerUid }]
    const subnets = facts.subnets.map(({ id, availabilityZone }) => ({ id, availabilityZone }))
    await this.#lab.apply([
      this.#secret(`${clusterName}-kubeconfig`, await readFile(this.#lab.cluster.kubeconfig)),
      this.#secret('bootstrap', Buffer.from('#cloud-config')),
      {
        apiVersion: spot,
        kind: 'AWSCluster',
        metadata: { ...metadata, ownerReferences },
        spec: { region: facts.region, network: { subnets } },
      } as Manifest,
      {
        apiVersion: spot,
        kind: 'ExternalControlPlane',
        metadata: { ...metadata, ownerReferences },
        spec: {},
      } as Manifest,
    ])
    const status = { initialization: { infrastructureProvisioned: true } }
    await this.#lab.client.mergePatch(clusters, metadata, { patch: { status }, subresource: 'status' }, this.#lab.ctx)
  }

  /** One Machine with its AWSMachine, owned as core owns it. */
  async machine(name: string): Promise<void> {
    const { client, ctx, aws } = this.#lab
    const metadata = { name, namespace: this.#namespace, labels: { 'cluster.x-k8s.io/cluster-name': clusterName } }
    const machine = {
      apiVersion: core,
      kind: 'Machine',
      metadata,
      spec: {
        clusterName,
        bootstrap: { dataSecretName: 'bootstrap' },
        infrastructureRef: { apiGroup: clouds.aws.machines.group, kind: 'AWSMachine', name },
      },
    } as Manifest
    const { metadata: made } = await client.create(machines, machine, ctx)
    const owner = { apiVersion: core, kind: 'Machine', name, uid: made.uid ?? '', controller: true }
    const awsMachine = {
      apiVersion: spot,
      kind: 'AWSMachine',
      metadata: { ...metadata, ownerReferences: [owner] },
      spec: { instanceType: 'm5.large', ami: { id: aws.facts.image }, spotMarketOptions: {} },
    } as Manifest
    await client.create(spotKind('AWSMachine'), awsMachine, ctx)
  }

  #secret(name: string, value: Uint8Array): Manifest {
    const labels = { 'cluster.x-k8s.io/cluster-name': clusterName }
    const data = { value: Buffer.from(value).toString('base64') }
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: this.#namespace, labels },
      data,
    } as Manifest
  }
}

export const awsMachines: Resource = clouds.aws.machines
