import { clusters, machines } from '../../../api/kinds.ts'
import type { KubeObject } from '../../../api/meta.ts'
import type { Lab } from '../../lab/lab.ts'
import type { Manifest } from '../../lab/objects.ts'
import { spotClusterManifests } from '../../lab/spot-cluster.ts'
import { inParallel } from '../in-parallel.ts'
import { spreadOf, type Spread } from '../spread-of.ts'

/** As many as the manager has for notices. */
const workers = 16
const core = 'cluster.x-k8s.io/v1beta2'
/** The size of a decision. */
const note = 'x'.repeat(400)

/**
 * The writes of a storm by a client that does nothing else, on Machines of a paused Cluster: nobody acts on them. Their
 * finalizer keeps them.
 */
export async function bareClient(lab: Lab, count: number): Promise<Spread<'bareToDeleted'>> {
  const { client, ctx } = lab
  const namespace = await lab.namespace('bare')
  const owner = await pausedCluster(lab, namespace)
  const names = Array.from({ length: count }, (_, i) => `bare-${i}`)
  await inParallel(workers, names, async (name) => {
    await client.create(machines, bareMachine(name, namespace), ctx)
  })
  return spreadOf('bareToDeleted', await writesOfStorm(lab, { namespace, names, owner }))
}

/** The same writes on Machines that run, while core does what follows from them. The manager has to be stopped. */
export async function besideCore(
  lab: Lab,
  { namespace, cluster, names }: { namespace: string; cluster: string; names: readonly string[] },
): Promise<Spread<'besideCoreToDeleted'>> {
  const { metadata } = await lab.client.get(clusters, { namespace, name: cluster }, lab.ctx)
  const owner = ownerOf(cluster, metadata.uid)
  return spreadOf('besideCoreToDeleted', await writesOfStorm(lab, { namespace, names, owner }))
}

interface Written {
  readonly namespace: string
  readonly names: readonly string[]
  readonly owner: object
}

/** For each Machine an annotation and the delete, and then another owner. Returns the times of the deletes. */
async function writesOfStorm({ client, ctx }: Lab, { namespace, names, owner }: Written): Promise<number[]> {
  const begunAt = ctx.clock.monotonic()
  const times: number[] = []
  await inParallel(workers, names, async (name) => {
    const patch = { metadata: { annotations: { 'bench.invalid/decision': note } } }
    const { metadata } = await client.mergePatch(machines, { namespace, name }, { patch }, ctx)
    await client.delete(machines, { namespace, name }, { uid: metadata.uid }, ctx)
    times.push(ctx.clock.monotonic() - begunAt)
  })
  await inParallel(workers, names, async (name) => {
    const patch = { metadata: { ownerReferences: [{ ...owner, controller: true }] } }
    await client.mergePatch(machines, { namespace, name }, { patch }, ctx)
  })
  return times
}

async function pausedCluster(lab: Lab, namespace: string) {
  const name = 'bare'
  const manifests = await spotClusterManifests(lab, { name, namespace, workers: 0 })
  const [cluster] = manifests.filter(({ kind }) => kind === 'Cluster') as (Manifest & { spec: object })[]
  if (!cluster) throw new Error('The example has no Cluster.')
  const [made] = await lab.apply([{ ...cluster, spec: { ...cluster.spec, paused: true } } as Manifest])
  return ownerOf(name, made?.metadata.uid)
}

function ownerOf(name: string, uid = ''): object {
  return { apiVersion: core, kind: 'Cluster', name, uid }
}

function bareMachine(name: string, namespace: string): KubeObject {
  const metadata = { name, namespace, finalizers: ['bench.invalid/kept'] }
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachine', name }
  const spec = { clusterName: 'bare', bootstrap: { dataSecretName: 'bare' }, infrastructureRef }
  return { metadata, spec } as KubeObject
}
