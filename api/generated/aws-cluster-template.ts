/* Made from crds/AWSClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AWSClusterSpec } from './aws-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSClusterTemplate is the template from which a ClusterClass creates its AWSClusters. Patches of the ClusterClass set fields that differ between clusters, such as the region.
 */
export interface AWSClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSClusterTemplateSpec
  /**
   * The provider writes it. It has no fields yet.
   */
  status?: {}
}
/**
 * The clusters to create.
 */
export interface AWSClusterTemplateSpec {
  template: AWSClusterTemplateTemplate
}
/**
 * The AWSCluster to create.
 */
export interface AWSClusterTemplateTemplate {
  metadata?: AWSClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider AWS.
   */
  spec: AWSClusterSpec
}
/**
 * Labels and annotations for each cluster, besides those that Cluster API sets.
 */
export interface AWSClusterTemplateMetadata {
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
