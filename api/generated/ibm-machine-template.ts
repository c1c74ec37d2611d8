/* Made from crds/IBMMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { IBMMachineSpec } from './ibm-machine.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * IBMMachineTemplate is the template from which a MachineDeployment creates its IBMMachines. To change the machines, create a new template and name it in the MachineDeployment.
 */
export interface IBMMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'IBMMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: IBMMachineTemplateSpec
  status?: IBMMachineTemplateStatus
}
/**
 * The machines to create.
 */
export interface IBMMachineTemplateSpec {
  template: IBMMachineTemplateTemplate
}
/**
 * The IBMMachine to create, without the fields that belong to a single machine.
 */
export interface IBMMachineTemplateTemplate {
  metadata?: IBMMachineTemplateMetadata
  /**
   * What to create in IBM Cloud VPC. It cannot change: create a new IBMMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider IBM Cloud.
   */
  spec: Omit<IBMMachineSpec, 'providerID'>
}
/**
 * Labels and annotations for each machine, besides those that Cluster API sets.
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
 * The capacity of a machine of this template. The cluster autoscaler reads it to scale a MachineDeployment up from zero.
 */
export interface IBMMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as IBM Cloud describes the profile. It includes ephemeral-storage if bootVolume sets the size of the disk.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: IBMMachineTemplateNodeInfo
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
export interface IBMMachineTemplateNodeInfo {
  /**
   * The processor architecture.
   */
  architecture?: 'amd64'
  /**
   * The operating system of the image.
   */
  operatingSystem?: 'linux' | 'windows'
}
