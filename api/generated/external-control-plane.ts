/* Made from crds/ExternalControlPlane.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * ExternalControlPlane tells Cluster API that something else manages the control plane of this Cluster. Cluster API then watches, drains and health-checks the Nodes of a cluster whose workers it manages. A Secret <cluster>-kubeconfig of type cluster.x-k8s.io/secret must exist. It needs the label cluster.x-k8s.io/cluster-name, and the kubeconfig under the key value.
 */
export interface ExternalControlPlane {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'ExternalControlPlane'
  metadata: ObjectMeta & { namespace: string }
  spec?: ExternalControlPlaneSpec
  status?: ExternalControlPlaneStatus
}
/**
 * The address of the control plane. It can be left out.
 */
export interface ExternalControlPlaneSpec {
  controlPlaneEndpoint?: ExternalControlPlaneControlPlaneEndpoint
}
/**
 * The address of the API server. Cluster API copies it to the Cluster, unless the Cluster has one. If neither is set, the provider writes the server of the kubeconfig here once it has answered.
 */
export interface ExternalControlPlaneControlPlaneEndpoint {
  /**
   * The host name or address.
   */
  host: string
  /**
   * The port.
   */
  port: number
}
/**
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface ExternalControlPlaneStatus {
  initialization?: ExternalControlPlaneInitialization
  /**
   * Always true: Cluster API then drains and deletes Nodes although it sees no control plane machine.
   */
  externalManagedControlPlane?: boolean
  /**
   * The conditions of the object. Available is True while the API server answers requests with the kubeconfig of the cluster. Cluster API shows it as the condition ControlPlaneAvailable of the Cluster.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
/**
 * Cluster API waits for this before it looks at Nodes.
 */
export interface ExternalControlPlaneInitialization {
  /**
   * True once the API server answered with the cluster's kubeconfig; it stays true.
   */
  controlPlaneInitialized?: boolean
}
