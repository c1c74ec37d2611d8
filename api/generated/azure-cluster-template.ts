/* Made from crds/AzureClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AzureClusterSpec } from './azure-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AzureClusterTemplate is what a ClusterClass makes its AzureClusters from. What differs between them, such as the location, its patches set.
 */
export interface AzureClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AzureClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AzureClusterTemplateSpec
  /**
   * Written by the provider; empty so far.
   */
  status?: {}
}
/**
 * What the clusters are to be.
 */
export interface AzureClusterTemplateSpec {
  template: AzureClusterTemplateTemplate
}
/**
 * The AzureCluster to make.
 */
export interface AzureClusterTemplateTemplate {
  metadata?: AzureClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider Azure.
   */
  spec: AzureClusterSpec
}
/**
 * What each cluster gets besides the labels and annotations that Cluster API gives it.
 */
export interface AzureClusterTemplateMetadata {
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
