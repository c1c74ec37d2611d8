/* Made from crds/IBMClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { IBMClusterSpec } from './ibm-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * IBMClusterTemplate is what a ClusterClass makes its IBMClusters from. What differs between them, such as the region, its patches set.
 */
export interface IBMClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'IBMClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: IBMClusterTemplateSpec
  /**
   * Written by the provider; empty so far.
   */
  status?: {}
}
/**
 * What the clusters are to be.
 */
export interface IBMClusterTemplateSpec {
  template: IBMClusterTemplateTemplate
}
/**
 * The IBMCluster to make.
 */
export interface IBMClusterTemplateTemplate {
  metadata?: IBMClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider IBM Cloud.
   */
  spec: IBMClusterSpec
}
/**
 * What each cluster gets besides the labels and annotations that Cluster API gives it.
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
