/* Made from crds/AzureClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AzureClusterSpec } from './azure-cluster.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AzureClusterTemplate is the template from which a ClusterClass creates its AzureClusters. Patches of the ClusterClass set fields that differ between clusters, such as the location.
 */
export interface AzureClusterTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AzureClusterTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AzureClusterTemplateSpec
  /**
   * The provider writes it. It has no fields yet.
   */
  status?: {}
}
/**
 * The clusters to create.
 */
export interface AzureClusterTemplateSpec {
  template: AzureClusterTemplateTemplate
}
/**
 * The AzureCluster to create.
 */
export interface AzureClusterTemplateTemplate {
  metadata?: AzureClusterTemplateMetadata
  /**
   * The place. Field names are those of Cluster API Provider Azure.
   */
  spec: AzureClusterSpec
}
/**
 * Labels and annotations for each cluster, besides those that Cluster API sets.
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
