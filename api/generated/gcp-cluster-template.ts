/* Made from crds/GCPClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { GCPClusterSpec } from './gcp-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * GCPClusterTemplate is what a ClusterClass makes its GCPClusters from. What differs between them, such as the region, its patches set.
 */
export interface GCPClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'GCPClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: GCPClusterTemplateSpec
  /**
   * Written by the provider; empty so far.
   */
  status?: {}
}
/**
 * What the clusters are to be.
 */
export interface GCPClusterTemplateSpec {
  template: GCPClusterTemplateTemplate
}
/**
 * The GCPCluster to make.
 */
export interface GCPClusterTemplateTemplate {
  metadata?: GCPClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider GCP.
   */
  spec: GCPClusterSpec
}
/**
 * What each cluster gets besides the labels and annotations that Cluster API gives it.
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
