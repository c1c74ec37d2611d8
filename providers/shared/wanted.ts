import type { Site } from '../../api/attempt.ts'
import { annotations } from '../../api/labels.ts'
import type { FailureDomain } from '../../api/machine.ts'
import type { Offering } from '../../api/offering.ts'
import type { Scope } from '../../api/scope.ts'
import type { Choice, Wanted } from '../cloud.ts'

/** A wanted machine of one cloud, with the specs of its own kinds. */
export interface WantedOf<MachineSpec, ClusterSpec> {
  /** `namespace/name` */
  readonly machine: string
  /** The owner id, as far as the infrastructure cluster has its copy. */
  readonly owner: string | undefined
  readonly spec: MachineSpec
  readonly cluster: ClusterSpec
  readonly scope: Scope
  /** Of the choice, else the failure domain of the Machine. */
  readonly zone: string | undefined
  /** What the zone is, in words. */
  readonly zoneIs: string
  /** Of Kubernetes. */
  readonly version: string | undefined
  /** Where this attempt has asked before. */
  readonly at: Site | undefined
  /** Subnets that were full. */
  readonly exclude: readonly string[]
}

export const zoneOfMachine = 'the failure domain of the Machine'

/** `boughtAs`: the spec with which an offering is bought. */
export function wantedIn<MachineSpec, ClusterSpec>(
  scope: Scope,
  { machine, cluster, failureDomain, version, at, exclude = [], choice }: Wanted<MachineSpec, ClusterSpec>,
  boughtAs: (spec: MachineSpec, offering: Offering) => MachineSpec,
): WantedOf<MachineSpec, ClusterSpec> {
  const { namespace, name } = machine.metadata
  return {
    machine: `${namespace}/${name}`,
    owner: cluster.metadata.annotations?.[annotations.ownerId],
    spec: choice ? boughtAs(machine.spec, choice) : machine.spec,
    cluster: cluster.spec,
    scope,
    zone: choice ? choice.zone : failureDomain,
    zoneIs: choice ? 'which the launch attempt has chosen' : zoneOfMachine,
    version,
    at: at ?? siteOf(choice),
    exclude,
  }
}

function siteOf(choice: Choice | undefined): Site | undefined {
  return choice?.subnet === undefined ? undefined : { subnet: choice.subnet, zone: choice.zone }
}

/** The failure domains of an infrastructure cluster, of the zones that its spec names. None is for a control plane. */
export function failureDomainsIn(zones: Iterable<string>): FailureDomain[] {
  return [...new Set(zones)].toSorted().map((name) => ({ name, controlPlane: false }))
}
