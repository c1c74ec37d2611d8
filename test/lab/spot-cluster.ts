import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { loadAll } from 'js-yaml'
import { fill } from '../support/fill.ts'
import { kubeletVersion } from '../simulators/kit/kubelets/node-object.ts'
import type { LabCloud } from './clouds/cloud.ts'
import type { Lab } from './lab.ts'
import type { Manifest } from './objects.ts'

const examples = path.join(import.meta.dirname, '..', '..', 'examples')

/** One cluster of spot workers from examples/. */
export interface SpotCluster {
  readonly name: string
  readonly namespace: string
  readonly workers: number
  /** Left out: EC2. */
  readonly cloud?: LabCloud
  /** Further variables of the examples, or others instead of the lab's. */
  readonly values?: Readonly<Record<string, string>>
  /** Further labels of every object, and of the Machines to come. */
  readonly labels?: Readonly<Record<string, string>>
}

/** The labels of a manifest. A MachineDeployment has some for its Machines. */
interface Labelled {
  metadata: { labels?: Record<string, string> }
  spec?: { template?: { metadata?: { labels?: Record<string, string> } } }
}

/** Applies the examples of a cloud with its values. The lab's API server is the control plane elsewhere. */
export async function applySpotCluster(lab: Lab, cluster: SpotCluster): Promise<Manifest[]> {
  return lab.apply(await spotClusterManifests(lab, cluster))
}

/** The same, not applied. */
export async function spotClusterManifests(lab: Lab, cluster: SpotCluster): Promise<Manifest[]> {
  const values = await valuesFor(lab, cluster)
  const folder = path.join(examples, cluster.cloud?.name ?? 'aws')
  const files = ['cluster.yaml', 'workers.yaml'].map((file) => readFile(path.join(folder, file), 'utf8'))
  const objects = (await Promise.all(files)).flatMap((text) => loadAll(fill(text, values)) as (Manifest & Labelled)[])
  for (const { metadata, spec } of objects) {
    for (const meta of [metadata, spec?.template?.metadata]) {
      if (meta) meta.labels = { ...meta.labels, ...cluster.labels }
    }
  }
  return objects
}

/** The variables that clusterctl would get in its environment. */
export async function valuesFor(
  { clouds: [aws], cluster: access }: Lab,
  { name, namespace, workers, cloud = aws, values }: SpotCluster,
): Promise<Record<string, string>> {
  return {
    CLUSTER_NAME: name,
    NAMESPACE: namespace,
    CONTROL_PLANE_HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: new URL(access.admin.server).port,
    WORKLOAD_KUBECONFIG_B64: (await readFile(access.kubeconfig)).toString('base64'),
    ...cloud?.values,
    // Nothing reads them here, because a simulated instance has joined once it has booted.
    JOIN_TOKEN: 'abcdef.0123456789abcdef',
    CA_CERT_HASH: 'sha256:0',
    KUBERNETES_VERSION: kubeletVersion,
    WORKER_MACHINE_COUNT: String(workers),
    ...values,
  }
}
