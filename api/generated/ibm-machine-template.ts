/* Made from crds/IBMMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { IBMMachineSpec } from './ibm-machine.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * IBMMachineTemplate is what a MachineDeployment makes its IBMMachines from. To change its machines make a new template and name that in the MachineDeployment.
 */
export interface IBMMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'IBMMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: IBMMachineTemplateSpec
  status?: IBMMachineTemplateStatus
}
/**
 * What the machines are to be.
 */
export interface IBMMachineTemplateSpec {
  template: IBMMachineTemplateTemplate
}
/**
 * The IBMMachine to make, less what only one machine can have.
 */
export interface IBMMachineTemplateTemplate {
  metadata?: IBMMachineTemplateMetadata
  /**
   * What to create in IBM Cloud VPC. It cannot change: create a new IBMMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider IBM Cloud.
   */
  spec: Omit<IBMMachineSpec, 'providerID'>
}
/**
 * What each machine gets besides the labels and annotations that Cluster API gives it.
 */
export interface IBMMachineTemplateMetadata {
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
export interface IBMMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as IBM Cloud describes the profile; ephemeral-storage where bootVolume says how large the disk is.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: IBMMachineTemplateNodeInfo
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
export interface IBMMachineTemplateNodeInfo {
  /**
   * The kind of processor.
   */
  architecture?: 'amd64'
  /**
   * The operating system of the image.
   */
  operatingSystem?: 'linux' | 'windows'
}
