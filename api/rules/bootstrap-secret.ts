import { core } from '../labels.ts'
import { groupOf, type ObjectMeta } from '../meta.ts'

/** What Cluster API keeps for a cluster itself, by the end of the Secret's name. */
const purposes = ['kubeconfig', 'ca', 'etcd', 'proxy', 'sa', 'apiserver-etcd-client']
const bootstrapGroup = 'bootstrap.cluster.x-k8s.io'
const controlPlaneGroup = 'controlplane.cluster.x-k8s.io'
const coreType = 'cluster.x-k8s.io/secret'

export interface BootstrapSecret {
  readonly metadata: Pick<ObjectMeta, 'name' | 'labels' | 'ownerReferences'>
  readonly type?: string
}

/**
 * Why this Secret is not given to the instance of a machine of this Cluster; undefined where it is bootstrap data. Who
 * may create Machines need not be allowed to read Secrets, and the instance runs what image that person names. So the
 * Secret has to say itself what it is for: by an owner of a bootstrap kind, the label of the Cluster, or core's type.
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
