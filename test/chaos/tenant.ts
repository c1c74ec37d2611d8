import { writeAttempt, type Attempt } from '../../api/attempt.ts'
import { writeInterruption, type Interruption } from '../../api/interruption.ts'
import { spotGroup, spotKind } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { Resource } from '../../api/meta.ts'
import { newId } from '../../providers/shared/ownership.ts'
import type { LabCloud, LabInstance } from '../lab/clouds/cloud.ts'
import type { Lab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'
import { spotClusterManifests } from '../lab/spot-cluster.ts'

interface Place {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
  /** The owner id of the Cluster whose machines the tenant imitates. */
  readonly cluster: string
}

/** The target of a forged machine. */
export interface Prey {
  /** The instance of a running machine of the same Cluster. */
  readonly attempt: Attempt
  /** An instance of another owner. */
  readonly stranger: Pick<LabInstance, 'id' | 'name'>
}

export const forged = { key: 'chaos', value: 'forged' } as const

/**
 * One false claim that a tenant can write: in the annotation of an infra machine, or in the spec or the annotation of
 * its Machine.
 */
interface Lie {
  readonly name: string
  readonly interruption?: Interruption
  readonly attempt?: Attempt
  readonly failureDomain?: string
}

/**
 * A tenant who may write Machines, infra machines and Clusters in this namespace writes everything that could lead the
 * manager to the instances of others. No such object may get an instance, and no instance of others may be touched.
 */
export async function forge(place: Place, prey: Prey): Promise<void> {
  const { lab } = place
  const spec = await machineSpec(place)
  const manifests = liesAbout(place, prey).flatMap((lie) => machineWith(place, lie, spec))
  await lab.apply([...manifests, ...(await copycat(place, prey.attempt.owner))])
}

function liesAbout({ namespace }: Place, { attempt, stranger }: Prey): Lie[] {
  const { refused: _, ...base } = attempt
  const lie = (name: string, over: Partial<Attempt>): Lie => ({
    name,
    attempt: { ...base, for: `${namespace}/${name}`, token: newId('token'), handle: stranger.id, ...over },
  })
  return [
    lie('forged-handle', {}),
    lie('forged-token', { token: attempt.token }),
    lie('forged-owner', { owner: newId('owner') }),
    lie('forged-sibling', {
      token: attempt.token,
      ...(attempt.handle === undefined ? {} : { handle: attempt.handle }),
    }),
    lie('forged-region', { scope: { ...attempt.scope, region: 'nowhere-1' } }),
    lie('forged-place', { at: { subnet: `../../${stranger.name}`, zone: pathTo(stranger) } }),
    { name: 'forged-zone', failureDomain: pathTo(stranger) },
    { ...lie('forged-notice', {}), interruption: deletionOf(`${namespace}/forged-notice`, attempt.handle) },
  ]
}

/** A decision about the instance of another Machine. The admission policy lets no tenant write it. */
function deletionOf(machine: string, instance = ''): Interruption {
  return { for: machine, instance, kind: 'Spot', source: 'Queue', at: '2026-01-01T00:00:00Z', act: 'Delete' }
}

/** A zone with the path of another instance. Used unescaped in an address, it would stop that instance. */
function pathTo({ name }: Prey['stranger']): string {
  return `us-central1-a/instances/${name}/stop?x=`
}

function machineWith({ cloud, namespace, cluster }: Place, lie: Lie, spec: object) {
  const { name, attempt, interruption, failureDomain } = lie
  const labels = { [forged.key]: forged.value, 'cluster.x-k8s.io/cluster-name': cluster }
  const kind = `${cloud.prefix}Machine`
  const infra = {
    apiVersion: `${spotGroup}/v1alpha1`,
    kind,
    metadata: { name, namespace, labels, ...(attempt ? { annotations: writeAttempt(attempt) } : {}) },
    spec,
  }
  const machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace, labels, ...(interruption ? { annotations: writeInterruption(interruption) } : {}) },
    spec: {
      clusterName: cluster,
      bootstrap: { dataSecretName: `${cluster}-spot-bootstrap` },
      infrastructureRef: { apiGroup: spotGroup, kind, name },
      ...(failureDomain === undefined ? {} : { failureDomain }),
    },
  }
  return [infra, machine] as Manifest[]
}

/** The spec of the first machines' template. */
async function machineSpec({ lab, cloud, namespace, cluster }: Place): Promise<object> {
  const templates: Resource = spotKind(`${cloud.prefix}MachineTemplate`)
  const ref = { namespace, name: `${cluster}-spot` }
  const template = await lab.client.get<{ spec: { template: { spec: object } } }>(templates, ref, lab.ctx)
  return template.spec.template.spec
}

/** A Cluster without machines with the owner id of another one. */
async function copycat({ lab, cloud, namespace, cluster }: Place, owner: string): Promise<Manifest[]> {
  const manifests = await spotClusterManifests(lab, { name: `${cluster}-copycat`, namespace, workers: 0, cloud })
  return manifests.map((manifest) =>
    manifest.kind === 'Cluster'
      ? { ...manifest, metadata: { ...manifest.metadata, annotations: { [annotations.ownerId]: owner } } }
      : manifest,
  )
}
