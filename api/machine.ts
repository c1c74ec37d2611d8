import type { Condition } from './conditions.ts'
import { core } from './labels.ts'
import type { LabelSelector } from './label-selector.ts'
import { groupOf, type KubeObject, type ObjectMeta, type OwnerReference } from './meta.ts'
import { coreGroup } from './kinds.ts'

/** What the four machine kinds have in common; the rest of the spec is the cloud's own business. */
export interface InfraMachine extends KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta & { namespace: string }
  spec: { providerID?: string } & Record<string, unknown>
  status?: InfraMachineStatus
}

export interface InfraMachineStatus {
  initialization?: { provisioned?: boolean }
  /** A real boolean: core refuses a string and then labels no Node at all. */
  interruptible?: boolean
  addresses?: { type: string; address: string }[]
  failureDomain?: string
  /** What was bought in the end. */
  capacityType?: string
  instanceID?: string
  instanceState?: string
  conditions?: Condition[]
}

/** What the four infrastructure cluster kinds have in common. */
export interface InfraCluster extends KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta & { namespace: string }
  spec: Record<string, unknown>
  status?: { initialization?: { provisioned?: boolean }; failureDomains?: FailureDomain[]; conditions?: Condition[] }
}

export interface FailureDomain {
  name: string
  controlPlane?: boolean
}

/** A Machine of core, as far as we look at it. */
export interface Machine extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: {
    clusterName: string
    bootstrap?: { dataSecretName?: string }
    failureDomain?: string
    version?: string
    infrastructureRef?: ContractRef
  }
  /** Of the conditions only our own. */
  status?: {
    nodeRef?: { name: string }
    initialization?: { infrastructureProvisioned?: boolean }
    conditions?: Condition[]
  }
}

/** A MachineHealthCheck of core, ours or a user's. */
export interface MachineHealthCheck extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: { clusterName: string; selector: LabelSelector } & Record<string, unknown>
}

/** A Cluster of core, as far as we look at it. */
export interface Cluster extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: {
    paused?: boolean
    infrastructureRef?: ContractRef
    controlPlaneRef?: ContractRef
    controlPlaneEndpoint?: { host?: string; port?: number }
  }
  /** Of the conditions those on which core's health checks wait. */
  status?: { initialization?: { infrastructureProvisioned?: boolean }; conditions?: Condition[] }
}

/** References of the v1beta2 contract carry neither version nor namespace: that of the referrer is meant. */
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

/** As its label says. Core sets it on Machines and on what is made for them. */
export function clusterLabelOf(object: KubeObject): string | undefined {
  return object.metadata.labels?.[core.clusterName]
}

/**
 * The name of the Cluster to which it belongs, by its owner first: also when that is gone, and before there is an
 * owner.
 */
export function owningClusterName(object: KubeObject): string | undefined {
  return ownerNamed(object, 'Cluster') ?? clusterLabelOf(object)
}

/** `namespace/name` of the Cluster, for indexes; nothing while the label is not there. */
export function clusterKeyOf(object: KubeObject): string[] {
  return keyIn(object, clusterLabelOf(object))
}

/** The same by its owner first. */
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
 * Another management cluster has it now. Its Cluster was paused before that, but watches come when they come: the pause
 * may be seen after the delete, and a delete that is not paused ends the instance.
 */
export function isMovedAway({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[core.deleteForMove] !== undefined
}
