/* Made from crds/IBMClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { IBMClusterSpec } from './ibm-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * IBMClusterTemplate is the template from which a ClusterClass creates its IBMClusters. Patches of the ClusterClass set fields that differ between clusters, such as the region.
 */
export interface IBMClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'IBMClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: IBMClusterTemplateSpec
  /**
   * The provider writes it. It has no fields yet.
   */
  status?: {}
}
/**
 * The clusters to create.
 */
export interface IBMClusterTemplateSpec {
  template: IBMClusterTemplateTemplate
}
/**
 * The IBMCluster to create.
 */
export interface IBMClusterTemplateTemplate {
  metadata?: IBMClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider IBM Cloud.
   */
  spec: IBMClusterSpec
}
/**
 * Labels and annotations for each cluster, besides those that Cluster API sets.
 */
export interface IBMClusterTemplateMetadata {
  /**
   * Labels for each cluster.
   */
  labels?: {
    [k: string]: string
  }
  /**
   * Annotations for each cluster.
   */
  annotations?: {
    [k: string]: string
  }
}
