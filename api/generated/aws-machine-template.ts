/* Made from crds/AWSMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AWSMachineSpec } from './aws-machine.ts'
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSMachineTemplate is what a MachineDeployment makes its AWSMachines from. To change its machines make a new template and name that in the MachineDeployment.
 */
export interface AWSMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSMachineTemplateSpec
  status?: AWSMachineTemplateStatus
}
/**
 * What the machines are to be.
 */
export interface AWSMachineTemplateSpec {
  template: AWSMachineTemplateTemplate
}
/**
 * The AWSMachine to make, less what only one machine can have.
 */
export interface AWSMachineTemplateTemplate {
  metadata?: AWSMachineTemplateMetadata
  /**
   * What to create in EC2. It cannot change: create a new AWSMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider AWS.
   */
  spec: Omit<AWSMachineSpec, 'providerID'>
}
/**
 * What each machine gets besides the labels and annotations that Cluster API gives it.
 */
export interface AWSMachineTemplateMetadata {
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
export interface AWSMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as EC2 describes the instance type; ephemeral-storage where rootVolume says how large the disk is.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: AWSMachineTemplateNodeInfo
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
export interface AWSMachineTemplateNodeInfo {
  /**
   * The kind of processor.
   */
  architecture?: 'amd64' | 'arm64'
  /**
   * The operating system of the image; linux where the template names no image.
   */
  operatingSystem?: 'linux' | 'windows'
}
