/* Made from crds/ExternalControlPlane.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * ExternalControlPlane says: the control plane of this Cluster runs elsewhere (EKS, AKS, GKE, IKS, kubeadm by hand) and nobody here changes it. With it Cluster API watches, drains, labels and health-checks the Nodes of a cluster that has only workers here. Needed besides: a Secret <cluster>-kubeconfig, of type cluster.x-k8s.io/secret, with the label cluster.x-k8s.io/cluster-name and the kubeconfig under the key value.
 */
export interface ExternalControlPlane {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'ExternalControlPlane'
  metadata: ObjectMeta & { namespace: string }
  spec?: ExternalControlPlaneSpec
  status?: ExternalControlPlaneStatus
}
/**
 * All that there is to say of a control plane that others look after. May be left out.
 */
export interface ExternalControlPlaneSpec {
  controlPlaneEndpoint?: ExternalControlPlaneControlPlaneEndpoint
}
/**
 * Where the API server is reached. Cluster API takes it over unless the Cluster names one itself. Our provider goes by the kubeconfig instead, and writes its server here once that has answered, where neither this nor the Cluster names one.
 */
export interface ExternalControlPlaneControlPlaneEndpoint {
  /**
   * Its host name or address.
   */
  host: string
  /**
   * Its port.
   */
  port: number
}
/**
 * What the provider says of it; lost and built anew when the cluster is moved.
 */
export interface ExternalControlPlaneStatus {
  initialization?: ExternalControlPlaneInitialization
  /**
   * Always true: Cluster API then drains and deletes Nodes although it sees no control plane machine.
   */
  externalManagedControlPlane?: boolean
  /**
   * What is so, since when and why. Available is True while the API server answers with the cluster's kubeconfig; Cluster API shows it as the Cluster's ControlPlaneAvailable.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
/**
 * What Cluster API waits for before it looks at Nodes.
 */
export interface ExternalControlPlaneInitialization {
  /**
   * True once the API server answered with the cluster's kubeconfig; it stays true.
   */
  controlPlaneInitialized?: boolean
}
