/* Made from crds/GCPClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { GCPClusterSpec } from './gcp-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * GCPClusterTemplate is the template from which a ClusterClass creates its GCPClusters. Patches of the ClusterClass set fields that differ between clusters, such as the region.
 */
export interface GCPClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'GCPClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: GCPClusterTemplateSpec
  /**
   * The provider writes it. It has no fields yet.
   */
  status?: {}
}
/**
 * The clusters to create.
 */
export interface GCPClusterTemplateSpec {
  template: GCPClusterTemplateTemplate
}
/**
 * The GCPCluster to create.
 */
export interface GCPClusterTemplateTemplate {
  metadata?: GCPClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider GCP.
   */
  spec: GCPClusterSpec
}
/**
 * Labels and annotations for each cluster, besides those that Cluster API sets.
 */
export interface GCPClusterTemplateMetadata {
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
