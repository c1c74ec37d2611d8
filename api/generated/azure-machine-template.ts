/* Made from crds/AzureMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AzureMachineSpec } from './azure-machine.ts'
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AzureMachineTemplate is the template from which a MachineDeployment creates its AzureMachines. To change the machines, create a new template and name it in the MachineDeployment.
 */
export interface AzureMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AzureMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AzureMachineTemplateSpec
  status?: AzureMachineTemplateStatus
}
/**
 * The machines to create.
 */
export interface AzureMachineTemplateSpec {
  template: AzureMachineTemplateTemplate
}
/**
 * The AzureMachine to create, without the fields that belong to a single machine.
 */
export interface AzureMachineTemplateTemplate {
  metadata?: AzureMachineTemplateMetadata
  /**
   * What to create in Azure. It cannot change: create a new AzureMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider Azure.
   */
  spec: Omit<AzureMachineSpec, 'providerID'>
}
/**
 * Labels and annotations for each machine, besides those that Cluster API sets.
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
 * The capacity of a machine of this template. The cluster autoscaler reads it to scale a MachineDeployment up from zero.
 */
export interface AzureMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as Azure describes the size. It includes ephemeral-storage if osDisk sets the size of the disk.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: AzureMachineTemplateNodeInfo
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
export interface AzureMachineTemplateNodeInfo {
  /**
   * The processor architecture.
   */
  architecture?: 'amd64' | 'arm64'
  /**
   * The operating system of the image; linux if the template names no image.
   */
  operatingSystem?: 'linux' | 'windows'
}
