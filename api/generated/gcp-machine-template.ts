/* Made from crds/GCPMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { GCPMachineSpec } from './gcp-machine.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * GCPMachineTemplate is what a MachineDeployment makes its GCPMachines from. To change its machines make a new template and name that in the MachineDeployment.
 */
export interface GCPMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'GCPMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: GCPMachineTemplateSpec
  status?: GCPMachineTemplateStatus
}
/**
 * What the machines are to be.
 */
export interface GCPMachineTemplateSpec {
  template: GCPMachineTemplateTemplate
}
/**
 * The GCPMachine to make, less what only one machine can have.
 */
export interface GCPMachineTemplateTemplate {
  metadata?: GCPMachineTemplateMetadata
  /**
   * What to create in GCE. It cannot change: create a new GCPMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider GCP.
   */
  spec: Omit<GCPMachineSpec, 'providerID'>
}
/**
 * What each machine gets besides the labels and annotations that Cluster API gives it.
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
 * What a machine of this template offers to pods. The cluster autoscaler reads it where a MachineDeployment has no machine yet to look at.
 */
export interface GCPMachineTemplateStatus {
  /**
   * How much of each resource a Node has, such as cpu, memory and nvidia.com/gpu, as GCE describes the instance type; ephemeral-storage where rootDeviceSize says how large the disk is.
   */
  capacity?: {
    [k: string]: string
  }
  nodeInfo?: GCPMachineTemplateNodeInfo
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
export interface GCPMachineTemplateNodeInfo {
  /**
   * The kind of processor.
   */
  architecture?: 'amd64' | 'arm64'
  /**
   * The operating system, which is linux.
   */
  operatingSystem?: 'linux' | 'windows'
}
