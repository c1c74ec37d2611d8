import { clusters, externalControlPlanes, machines, spotKind } from '../../api/kinds.ts'
import type { Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { Lab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'
import { spotClusterManifests } from '../lab/spot-cluster.ts'

const core = 'cluster.x-k8s.io/v1beta2'

interface Template extends Manifest {
  spec: { template: { spec: object } }
}

/**
 * The objects that core would make of a MachineDeployment of the examples, made by the bench. So the figures are our
 * manager's, without core's own pace.
 */
export class Fixture {
  readonly machines: Resource
  readonly #lab: Lab
  readonly #cloud: LabCloud
  readonly #namespace: string
  readonly #name: string
  readonly #more: object
  #machineSpec: object = {}

  /** `more`: further fields of the spec of every machine. */
  constructor(lab: Lab, cloud: LabCloud, namespace: string, more: object = {}) {
    this.#lab = lab
    this.#more = more
    this.#cloud = cloud
    this.#namespace = namespace
    this.#name = `bench-${cloud.name}`
    this.machines = spotKind(`${cloud.prefix}Machine`)
  }

  /** The Cluster with provisioned infrastructure, as core would report it. */
  async cluster(values: Readonly<Record<string, string>> = {}): Promise<void> {
    const { client, ctx } = this.#lab
    const ref = { name: this.#name, namespace: this.#namespace }
    const manifests = await spotClusterManifests(this.#lab, { ...ref, workers: 0, cloud: this.#cloud, values })
    const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
    const [template] = ofKind(`${this.machines.kind}Template`) as Template[]
    this.#machineSpec = { ...template?.spec.template.spec, ...this.#more }
    await this.#lab.apply(ofKind('Secret'))
    const [cluster] = await this.#lab.apply(ofKind('Cluster'))
    const uid = (cluster?.metadata as { uid?: string } | undefined)?.uid ?? ''
    const ownerReferences = [{ apiVersion: core, kind: 'Cluster', name: this.#name, uid }]
    const owned = [...ofKind(`${this.#cloud.prefix}Cluster`), ...ofKind(externalControlPlanes.kind)]
    await this.#lab.apply(owned.map((one) => ({ ...one, metadata: { ...one.metadata, ownerReferences } })))
    const status = { initialization: { infrastructureProvisioned: true } }
    await client.mergePatch(clusters, ref, { patch: { status }, subresource: 'status' }, ctx)
  }

  /**
   * An API server prepares each kind with its first object, which takes seconds. This happens before machines are
   * timed, and while no manager runs.
   */
  async warmUp(): Promise<void> {
    const { client, ctx } = this.#lab
    const ref = { name: 'warm-up', namespace: this.#namespace }
    await this.machine(ref.name)
    for (const resource of [this.machines, machines]) await client.delete(resource, ref, {}, ctx)
  }

  /** One Machine with its infra machine, owned as core owns it. */
  async machine(name: string): Promise<void> {
    const { client, ctx } = this.#lab
    const { group, kind } = this.machines
    const metadata = { name, namespace: this.#namespace, labels: { 'cluster.x-k8s.io/cluster-name': this.#name } }
    const machine = {
      apiVersion: core,
      kind: 'Machine',
      metadata,
      spec: {
        clusterName: this.#name,
        bootstrap: { dataSecretName: `${this.#name}-spot-bootstrap` },
        infrastructureRef: { apiGroup: group, kind, name },
      },
    } as Manifest
    const { metadata: made } = await client.create(machines, machine, ctx)
    const owner = { apiVersion: core, kind: 'Machine', name, uid: made.uid ?? '', controller: true }
    const infraMachine = {
      apiVersion: `${group}/v1alpha1`,
      kind,
      metadata: { ...metadata, ownerReferences: [owner] },
      spec: this.#machineSpec,
    } as Manifest
    await client.create(this.machines, infraMachine, ctx)
  }
}
