import type { Condition } from './conditions.ts'
import { core } from './labels.ts'
import type { ShownAttempt } from './rules/capacity/shown-attempts.ts'
import type { LabelSelector } from './rules/label-selector.ts'
import { groupOf, type KubeObject, type ObjectMeta, type OwnerReference } from './meta.ts'
import { coreGroup } from './kinds.ts'

/** The fields that all machine kinds have. The rest of the spec belongs to the cloud. */
export interface InfraMachine<Spec = { providerID?: string } & Record<string, unknown>> extends KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta & { namespace: string }
  spec: Spec
  status?: InfraMachineStatus
}

export interface InfraMachineStatus {
  initialization?: { provisioned?: boolean }
  /** A real boolean: core refuses a string and then labels no Node at all. */
  interruptible?: boolean
  addresses?: { type: string; address: string }[]
  failureDomain?: string
  /** What was bought. Until an instance is shown, what was requested. The next two are so as well. */
  capacityType?: string
  instanceType?: string
  zone?: string
  /** The number of the attempt. A printed column can show no length of a list, and `attempts` ends at its newest. */
  tries?: number
  attempts?: ShownAttempt[]
  instanceID?: string
  instanceState?: string
  conditions?: Condition[]
}

/** The fields that all infrastructure cluster kinds have. */
export interface InfraCluster<Spec = Record<string, unknown>> extends KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta & { namespace: string }
  spec: Spec
  status?: { initialization?: { provisioned?: boolean }; failureDomains?: FailureDomain[]; conditions?: Condition[] }
}

export interface FailureDomain {
  name: string
  controlPlane?: boolean
}

/** The fields of core's Machine that we read. */
export interface Machine extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: {
    clusterName: string
    bootstrap?: { dataSecretName?: string }
    failureDomain?: string
    version?: string
    infrastructureRef?: ContractRef
  }
  /** Only our own condition, Available and BootstrapConfigReady. */
  status?: {
    nodeRef?: { name: string }
    initialization?: { infrastructureProvisioned?: boolean }
    conditions?: Condition[]
  }
}

/** The fields of core's MachineSet that we read. */
export interface MachineSet extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: { replicas?: number; template?: { metadata?: { annotations?: Record<string, string> } } }
}

/** The fields of core's MachineDeployment that we read. */
export interface MachineDeployment extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
}

/** A MachineHealthCheck of core, ours or a user's. */
export interface MachineHealthCheck extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: { clusterName: string; selector: LabelSelector } & Record<string, unknown>
}

/** The fields of core's Cluster that we read. */
export interface Cluster extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: {
    paused?: boolean
    infrastructureRef?: ContractRef
    controlPlaneRef?: ContractRef
    controlPlaneEndpoint?: { host?: string; port?: number }
  }
  /** Only the conditions that core's health checks wait for. */
  status?: { initialization?: { infrastructureProvisioned?: boolean }; conditions?: Condition[] }
}

/** References of the v1beta2 contract have neither version nor namespace. The namespace of the referrer applies. */
export interface ContractRef {
  apiGroup: string
  kind: string
  name: string
}

/** The Machine that owns this object, by name; a MachineSet as the only owner is not enough to act on. */
export function ownerNamed(object: KubeObject, kind: 'Machine' | 'Cluster'): string | undefined {
  return ownerReference(object, kind)?.name
}

export function ownerReference(object: KubeObject, kind: 'Machine' | 'Cluster'): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(
    (owner) => owner.kind === kind && groupOf(owner.apiVersion) === coreGroup,
  )
}

/** The name in its label. Core sets the label on Machines and on the objects that it creates for them. */
export function clusterLabelOf(object: KubeObject): string | undefined {
  return object.metadata.labels?.[core.clusterName]
}

/** The name of its Cluster: that of the owner first, then that of the label. */
export function owningClusterName(object: KubeObject): string | undefined {
  return ownerNamed(object, 'Cluster') ?? clusterLabelOf(object)
}

/** `namespace/name` of the Cluster, for indexes; nothing without the label. */
export function clusterKeyOf(object: KubeObject): string[] {
  return keyIn(object, clusterLabelOf(object))
}

/** The same, by its owner first. */
export function owningClusterKey(object: KubeObject): string[] {
  return keyIn(object, owningClusterName(object))
}

/** `namespace/name` of the Machine that owns it. */
export function owningMachineKey(object: KubeObject): string[] {
  return keyIn(object, ownerNamed(object, 'Machine'))
}

function keyIn({ metadata }: KubeObject, name: string | undefined): string[] {
  return name === undefined ? [] : [`${metadata.namespace}/${name}`]
}

export function isPaused(object: KubeObject, cluster: Cluster | undefined): boolean {
  const isHeld = object.metadata.annotations?.[core.paused] !== undefined
  return cluster?.spec.paused === true || isHeld || isMovedAway(object)
}

/**
 * Another management cluster has the object now. Its Cluster was paused before, but watches have no order. The pause
 * may arrive after the delete, and a delete without a pause ends the instance.
 */
export function isMovedAway({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[core.deleteForMove] !== undefined
}

/** A Node of a workload cluster: the fields that we read. */
export interface Node extends KubeObject {
  spec?: { providerID?: string; taints?: Taint[]; unschedulable?: boolean }
  status?: { conditions?: NodeCondition[] }
}

/** Kubelets and agents write it. Only type and status are certain to be there. */
export interface NodeCondition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

export interface Taint {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

/** A Pod of a workload cluster: the fields that we read. */
export interface Pod extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec?: { terminationGracePeriodSeconds?: number }
  status?: { phase?: string }
}
