import { interruptionPolicies } from '../../../api/kinds.ts'
import type { KubeObject } from '../../../api/meta.ts'
import type { LabCloud } from '../../lab/clouds/cloud.ts'
import { eventually } from '../../lab/eventually.ts'
import type { Lab } from '../../lab/lab.ts'
import type { Manifest } from '../../lab/objects.ts'
import { spotClusterManifests } from '../../lab/spot-cluster.ts'
import { endsAfter, pods, type Pod } from '../../simulators/kit/kubelets/pod.ts'
import { inParallel } from '../in-parallel.ts'
import type { MachineWatch, Watched } from './watch.ts'

export interface Place {
  readonly cloud: LabCloud
  readonly namespace: string
}

export interface Wanted {
  readonly cluster: string
  /** The Machines of each MachineDeployment. */
  readonly workers: number
  readonly deployments?: number
  /** Fields of the InterruptionPolicy. */
  readonly policy?: object
}

interface MachineDeployment extends Manifest {
  spec: { selector: { matchLabels: object }; template: { metadata: { labels: object } } }
}

/** The example with its policy. Returns the names of the MachineDeployments. */
export async function applyCluster(lab: Lab, { cloud, namespace }: Place, wanted: Wanted): Promise<string[]> {
  const { cluster, workers, deployments = 1, policy = {} } = wanted
  // An instance counts as served at once. Otherwise the Machine of a young one waits for the backoff.
  const spec = { clusterName: cluster, minHealthySeconds: 0, ...policy }
  await lab.client.create(interruptionPolicies, { metadata: { name: cluster, namespace }, spec } as KubeObject, lab.ctx)
  const manifests = await spotClusterManifests(lab, { name: cluster, namespace, workers, cloud })
  const several = manifests.flatMap((one) =>
    one.kind === 'MachineDeployment' ? copies(one as MachineDeployment, deployments) : [one],
  )
  await lab.apply(several)
  return several.filter(({ kind }) => kind === 'MachineDeployment').map(({ metadata }) => metadata.name)
}

function copies(one: MachineDeployment, count: number): MachineDeployment[] {
  return Array.from({ length: count }, (_, i) => {
    const copy = structuredClone(one)
    const pool = { pool: `spot-${i}` }
    copy.metadata.name = `${one.metadata.name}-${i}`
    Object.assign(copy.spec.selector.matchLabels, pool)
    Object.assign(copy.spec.template.metadata.labels, pool)
    return copy
  })
}

/**
 * Waits until this many Machines, without those of before, are available, and name their Nodes: core patches the
 * conditions first and the rest of the status in a patch of its own. Returns them.
 */
export async function available(
  watch: MachineWatch,
  { count, before = [], timeoutMs }: { count: number; before?: readonly Watched[]; timeoutMs: number },
): Promise<Watched[]> {
  const known = new Set(before)
  return eventually(
    `${count} Machines are available`,
    () => {
      const serving = watch.of().filter((one) => isServing(one) && !known.has(one))
      if (serving.length !== count) throw new Error(`${serving.length} of ${watch.of().length - known.size} are.`)
      return serving
    },
    { timeoutMs, everyMs: 100 },
  )
}

/** In a large scale-up core sometimes makes a Machine too many, and deletes it again. */
function isServing({ availableAt, node, deletedAt }: Watched): boolean {
  return availableAt !== undefined && node !== undefined && deletedAt === undefined
}

/** The time that the Pod of each Node takes to end. */
const podEndsAfter = '60s'

/** Puts a Pod on each Node, as a scheduler would, and waits until all run. */
export async function podsOn(lab: Lab, namespace: string, machines: readonly Watched[]): Promise<void> {
  const names = new Set(machines.map(({ name }) => name))
  await inParallel(20, machines, async ({ name, node }) => {
    const metadata = { name, namespace, annotations: { [endsAfter]: podEndsAfter } }
    const containers = [{ name: 'c', image: 'i' }]
    const spec = { nodeName: node, terminationGracePeriodSeconds: 90, containers }
    await lab.client.create(pods, { metadata, spec } as KubeObject, lab.ctx)
  })
  await eventually(
    'the Pods run',
    async () => {
      const { items } = await lab.client.list<Pod>(pods, { namespace }, lab.ctx)
      const run = items.filter(({ metadata, status }) => names.has(metadata.name) && status?.phase === 'Running').length
      if (run !== machines.length) throw new Error(`${run} of ${machines.length} run.`)
    },
    { timeoutMs: 120_000, everyMs: 1_000 },
  )
}

export function instanceOf({ name, instance }: Watched): string {
  if (instance === undefined) throw new Error(`Machine ${name} has no instance.`)
  return instance
}
