import type { CapacityPool } from '../../api/generated/capacity-pool.ts'
import type { ExternalControlPlane } from '../../api/generated/external-control-plane.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { remediationDue, requests } from '../../api/labels.ts'
import type {
  Cluster,
  InfraCluster,
  InfraMachine,
  Machine,
  MachineDeployment,
  MachineHealthCheck,
  MachineSet,
} from '../../api/machine.ts'
import type { KubeObject, ObjectMeta } from '../../api/meta.ts'
import { bootstrapReady } from '../../api/rules/capacity/patience.ts'
import { examinedWhen } from '../../api/rules/markers.ts'

type Namespaced = ObjectMeta & { namespace: string }

/** Keeps the fields that somebody reads: about a tenth of the object. */
function keep(raw: KubeObject): object {
  const { apiVersion, kind, metadata, spec, status } = raw as KubeObject & { spec?: object; status?: object }
  return { apiVersion, kind, metadata: metaOf(metadata), spec: spec ?? {}, status: status ?? {} }
}

export function projectInfraMachine(raw: KubeObject): InfraMachine {
  return keep(raw) as InfraMachine
}

export function projectInfraCluster(raw: KubeObject): InfraCluster {
  return keep(raw) as InfraCluster
}

export function projectControlPlane(raw: KubeObject): ExternalControlPlane {
  return keep(raw) as ExternalControlPlane
}

export function projectCapacityPool(raw: KubeObject): CapacityPool {
  const { namespace: _none, ...metadata } = metaOf(raw.metadata)
  return { ...(keep(raw) as CapacityPool), metadata }
}

export function projectPolicy(raw: KubeObject): InterruptionPolicy {
  return keep(raw) as InterruptionPolicy
}

export function projectHealthCheck(raw: KubeObject): MachineHealthCheck {
  const { status: _, ...kept } = keep(raw) as MachineHealthCheck & { status: object }
  return kept
}

export function projectMachine(raw: KubeObject): Machine {
  const { metadata, spec, status } = raw as Machine
  const { managedFields } = metadata
  // They tell who asks for the rehearsal.
  const isAsked = managedFields !== undefined && metadata.annotations?.[requests.rehearse] !== undefined
  return {
    metadata: { ...metaOf(metadata), ...(isAsked ? { managedFields } : {}) },
    spec: {
      clusterName: spec.clusterName,
      ...(spec.bootstrap ? { bootstrap: spec.bootstrap } : {}),
      ...(spec.failureDomain ? { failureDomain: spec.failureDomain } : {}),
      ...(spec.version ? { version: spec.version } : {}),
      ...(spec.infrastructureRef ? { infrastructureRef: spec.infrastructureRef } : {}),
    },
    status: machineStatusOf(status ?? {}),
  }
}

const readConditions: ReadonlySet<string> = new Set([remediationDue, bootstrapReady, 'Available'])

function machineStatusOf({ nodeRef, initialization, conditions = [] }: Machine['status'] & object): object {
  const ours = conditions.filter(({ type }) => readConditions.has(type))
  return {
    ...(nodeRef ? { nodeRef } : {}),
    ...(initialization?.infrastructureProvisioned ? { initialization: { infrastructureProvisioned: true } } : {}),
    ...(ours.length > 0 ? { conditions: ours } : {}),
  }
}

/** Its template is read anew where it counts. */
export function projectMachineSet(raw: KubeObject): MachineSet {
  const { metadata, spec } = raw as MachineSet
  return { metadata: metaOf(metadata), spec: spec.replicas === undefined ? {} : { replicas: spec.replicas } }
}

export function projectMachineDeployment({ metadata }: KubeObject): MachineDeployment {
  return { metadata: metaOf(metadata) }
}

export function projectCluster(raw: KubeObject): Cluster {
  const { metadata, spec, status } = raw as Cluster
  const initialization = status?.initialization
  const conditions = status?.conditions?.filter(({ type }) => examinedWhen.includes(type)) ?? []
  return {
    metadata: metaOf(metadata),
    spec: {
      ...(spec.paused ? { paused: true } : {}),
      ...(spec.infrastructureRef ? { infrastructureRef: spec.infrastructureRef } : {}),
      ...(spec.controlPlaneRef ? { controlPlaneRef: spec.controlPlaneRef } : {}),
      ...(spec.controlPlaneEndpoint?.host ? { controlPlaneEndpoint: spec.controlPlaneEndpoint } : {}),
    },
    status: { ...(initialization ? { initialization } : {}), ...(conditions.length > 0 ? { conditions } : {}) },
  }
}

/** No user has so many labels: together they have 100 KiB at most. The API server limits only the size of a request. */
const mostLabels = 256

function metaOf(metadata: ObjectMeta): Namespaced {
  const { managedFields: _, labels, ...kept } = metadata
  return { ...kept, ...(labels ? { labels: boundedLabels(labels) } : {}), namespace: metadata.namespace ?? '' }
}

/** Of too many labels only those of Cluster API are kept, so that no user's selector finds the object. */
function boundedLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(labels)
  if (all.length <= mostLabels) return labels
  const known = all.filter(([key]) => /^([a-z]+\.)?cluster\.x-k8s\.io\//.test(key))
  return Object.fromEntries(known.slice(0, mostLabels))
}
