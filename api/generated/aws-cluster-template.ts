/* Made from crds/AWSClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AWSClusterSpec } from './aws-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSClusterTemplate is what a ClusterClass makes its AWSClusters from. What differs between them, such as the region, its patches set.
 */
export interface AWSClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSClusterTemplateSpec
  /**
   * Written by the provider; empty so far.
   */
  status?: {}
}
/**
 * What the clusters are to be.
 */
export interface AWSClusterTemplateSpec {
  template: AWSClusterTemplateTemplate
}
/**
 * The AWSCluster to make.
 */
export interface AWSClusterTemplateTemplate {
  metadata?: AWSClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider AWS.
   */
  spec: AWSClusterSpec
}
/**
 * What each cluster gets besides the labels and annotations that Cluster API gives it.
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
