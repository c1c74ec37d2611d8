/* Made from crds/AWSMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AWSMachineSpec } from './aws-machine.ts'
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSMachineTemplate is the template from which a MachineDeployment creates its AWSMachines. To change the machines, create a new template and name it in the MachineDeployment.
 */
export interface AWSMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSMachineTemplateSpec
  status?: AWSMachineTemplateStatus
}
/**
 * The machines to create.
 */
export interface AWSMachineTemplateSpec {
  template: AWSMachineTemplateTemplate
}
/**
 * The AWSMachine to create, without the fields that belong to a single machine.
 */
export interface AWSMachineTemplateTemplate {
  metadata?: AWSMachineTemplateMetadata
  /**
   * What to create in EC2. It cannot change: create a new AWSMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider AWS.
   */
  spec: Omit<AWSMachineSpec, 'providerID'>
}
/**
 * Labels and annotations for each machine, besides those that Cluster API sets.
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
 * The capacity of a machine of this template. The cluster autoscaler reads it to scale a MachineDeployment up from zero.
 */
export interface AWSMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as EC2 describes the instance type. It includes ephemeral-storage if rootVolume sets the size of the disk.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: AWSMachineTemplateNodeInfo
  /**
   * CapacityKnown is True when the status shows the capacity of a Node. Otherwise its message names the cause. With types in fallback, UniformCapacity is False when some have other Nodes, and names them.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
/**
 * The platform of a Node.
 */
export interface AWSMachineTemplateNodeInfo {
  /**
   * The processor architecture.
   */
  architecture?: 'amd64' | 'arm64'
  /**
   * The operating system of the image; linux if the template names no image.
   */
  operatingSystem?: 'linux' | 'windows'
}
