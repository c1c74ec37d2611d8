/* Made from crds/GCPMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { GCPMachineSpec } from './gcp-machine.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * GCPMachineTemplate is the template from which a MachineDeployment creates its GCPMachines. To change the machines, create a new template and name it in the MachineDeployment.
 */
export interface GCPMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'GCPMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: GCPMachineTemplateSpec
  status?: GCPMachineTemplateStatus
}
/**
 * The machines to create.
 */
export interface GCPMachineTemplateSpec {
  template: GCPMachineTemplateTemplate
}
/**
 * The GCPMachine to create, without the fields that belong to a single machine.
 */
export interface GCPMachineTemplateTemplate {
  metadata?: GCPMachineTemplateMetadata
  /**
   * What to create in GCE. It cannot change: create a new GCPMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider GCP.
   */
  spec: Omit<GCPMachineSpec, 'providerID'>
}
/**
 * Labels and annotations for each machine, besides those that Cluster API sets.
 */
export interface GCPMachineTemplateMetadata {
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
export interface GCPMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as GCE describes the instance type. It includes ephemeral-storage if rootDeviceSize sets the size of the disk.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: GCPMachineTemplateNodeInfo
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
export interface GCPMachineTemplateNodeInfo {
  /**
   * The processor architecture.
   */
  architecture?: 'amd64' | 'arm64'
  /**
   * The operating system. It is always linux.
   */
  operatingSystem?: 'linux' | 'windows'
}
