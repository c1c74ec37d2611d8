import { core } from '../labels.ts'
import { groupOf, type ObjectMeta } from '../meta.ts'

/** The endings of the names of Secrets that Cluster API keeps for a cluster itself. */
const purposes = ['kubeconfig', 'ca', 'etcd', 'proxy', 'sa', 'apiserver-etcd-client']
const bootstrapGroup = 'bootstrap.cluster.x-k8s.io'
const controlPlaneGroup = 'controlplane.cluster.x-k8s.io'
const coreType = 'cluster.x-k8s.io/secret'

export interface BootstrapSecret {
  readonly metadata: Pick<ObjectMeta, 'name' | 'labels' | 'ownerReferences'>
  readonly type?: string
}

/**
 * Why no machine of this Cluster gets this Secret; undefined if it is bootstrap data. Somebody who may create Machines
 * may not be allowed to read Secrets, but chooses the image that gets them. So the Secret itself has to show its
 * purpose: an owner of a bootstrap kind, the label of the Cluster, or core's type.
 */
export function secretObstacle({ metadata, type }: BootstrapSecret, clusterName: string): string | undefined {
  const { name, labels = {}, ownerReferences = [] } = metadata
  const isOwned = ownerReferences.some(({ apiVersion }) => groupOf(apiVersion) === bootstrapGroup)
  const controlPlane = ownerReferences.find(({ apiVersion }) => groupOf(apiVersion) === controlPlaneGroup)
  const purpose = purposes.find((end) => name.endsWith(`-${end}`))
  if (purpose === 'kubeconfig' || (purpose && !isOwned)) {
    return `Secret ${name} is a ${purpose} of a cluster by its name, so no instance gets it. Name another Secret in spec.bootstrap.dataSecretName.`
  }
  if (controlPlane && !isOwned) {
    return `Secret ${name} belongs to ${controlPlane.kind} ${controlPlane.name}, so no instance gets it. Name another Secret in spec.bootstrap.dataSecretName.`
  }
  return labelObstacle(
    { name, label: labels[core.clusterName], mayLackLabel: isOwned || type === coreType },
    clusterName,
  )
}

interface Labelled {
  readonly name: string
  readonly label: string | undefined
  readonly mayLackLabel: boolean
}

function labelObstacle({ name, label, mayLackLabel }: Labelled, clusterName: string): string | undefined {
  if (label === clusterName || (label === undefined && mayLackLabel)) return undefined
  const found = label === undefined ? 'has no label' : `has label ${core.clusterName}=${label}, not`
  return `Secret ${name} ${found} ${core.clusterName}=${clusterName}. Set the label if the Secret holds bootstrap data for machines of that Cluster.`
}
