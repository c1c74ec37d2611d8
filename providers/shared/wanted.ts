import type { Site } from '../../api/attempt.ts'
import { annotations } from '../../api/labels.ts'
import type { FailureDomain } from '../../api/machine.ts'
import type { Scope } from '../../api/scope.ts'
import type { Wanted } from '../cloud.ts'

/** A wanted machine of one cloud, with the specs of its own kinds. */
export interface WantedOf<MachineSpec, ClusterSpec> {
  /** `namespace/name` */
  readonly machine: string
  /** The owner id, as far as the infrastructure cluster has its copy. */
  readonly owner: string | undefined
  readonly spec: MachineSpec
  readonly cluster: ClusterSpec
  readonly scope: Scope
  readonly zone: string | undefined
  /** Of Kubernetes. */
  readonly version: string | undefined
  /** Where this attempt has asked before. */
  readonly at: Site | undefined
  /** Subnets that were full. */
  readonly exclude: readonly string[]
}

export function wantedIn<MachineSpec, ClusterSpec>(
  scope: Scope,
  { machine, cluster, failureDomain, version, at, exclude = [] }: Wanted<MachineSpec, ClusterSpec>,
): WantedOf<MachineSpec, ClusterSpec> {
  const { namespace, name } = machine.metadata
  return {
    machine: `${namespace}/${name}`,
    owner: cluster.metadata.annotations?.[annotations.ownerId],
    spec: machine.spec,
    cluster: cluster.spec,
    scope,
    zone: failureDomain,
    version,
    at,
    exclude,
  }
}

/** The failure domains of an infrastructure cluster, of the zones that its spec names. None is for a control plane. */
export function failureDomainsIn(zones: Iterable<string>): FailureDomain[] {
  return [...new Set(zones)].toSorted().map((name) => ({ name, controlPlane: false }))
}
