/* Made from crds/AWSMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
import type { AWSMachineSpec } from './aws-machine.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSMachineTemplate is what a MachineDeployment makes its AWSMachines from. To change its machines make a new template and name that in the MachineDeployment.
 */
export interface AWSMachineTemplate {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSMachineTemplate'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSMachineTemplateSpec
  /**
   * Written by the provider; empty so far.
   */
  status?: {}
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
   * What is asked of EC2. It is fixed from the creation of the machine on: to change something make a new AWSMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider AWS.
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
