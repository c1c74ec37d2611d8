/* Made from crds/AzureMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AzureMachineSpec } from './azure-machine.ts'
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AzureMachineTemplate is what a MachineDeployment makes its AzureMachines from. To change its machines make a new template and name that in the MachineDeployment.
 */
export interface AzureMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AzureMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AzureMachineTemplateSpec
  status?: AzureMachineTemplateStatus
}
/**
 * What the machines are to be.
 */
export interface AzureMachineTemplateSpec {
  template: AzureMachineTemplateTemplate
}
/**
 * The AzureMachine to make, less what only one machine can have.
 */
export interface AzureMachineTemplateTemplate {
  metadata?: AzureMachineTemplateMetadata
  /**
   * What to create in Azure. It cannot change: create a new AzureMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider Azure.
   */
  spec: Omit<AzureMachineSpec, 'providerID'>
}
/**
 * What each machine gets besides the labels and annotations that Cluster API gives it.
 */
export interface AzureMachineTemplateMetadata {
  /**
   * Labels for each machine.
   */
  labels?: {
    [k: string]: string
  }
  /**
   * Annotations for each machine.
   */
  annotations?: {
    [k: string]: string
  }
}
/**
 * What a machine of this template offers to pods. The cluster autoscaler reads it where a MachineDeployment has no machine yet to look at.
 */
export interface AzureMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as Azure describes the size; ephemeral-storage where osDisk says how large the disk is.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: AzureMachineTemplateNodeInfo
  /**
   * CapacityKnown is True when the status says what a Node offers. Otherwise it says why not.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
/**
 * What programs a Node can run.
 */
export interface AzureMachineTemplateNodeInfo {
  /**
   * The kind of processor.
   */
  architecture?: 'amd64' | 'arm64'
  /**
   * The operating system of the image; linux where the template names no image.
   */
  operatingSystem?: 'linux' | 'windows'
}
