import { annotations } from '../labels.ts'
import { readAttempt } from '../attempt.ts'
import {
  ownerReference,
  type Cluster,
  type ContractRef,
  type InfraCluster,
  type InfraMachine,
  type Machine,
} from '../machine.ts'
import type { Resource } from '../meta.ts'
import type { MachineReason } from '../reasons.ts'

/** The facts that are needed before a machine may cost money. */
export interface LaunchFacts {
  infra: InfraMachine
  /** The kind of the infra machine. */
  resource: Resource
  machine: Machine | undefined
  /** Infra machines with an owner of the Machine's name. They may include this one. */
  siblings: readonly InfraMachine[]
  cluster: Cluster | undefined
  infraCluster: InfraCluster | undefined
  ownerId: string | undefined
}

export interface Obstacle {
  reason: MachineReason
  message: string
}

type Rule = (facts: LaunchFacts) => Obstacle | undefined

/** In the order in which Cluster API fills them in. The first rule that applies is reported. */
const rules: readonly Rule[] = [ownedByMachine, meantByMachine, onlyOne, inCluster, infrastructureReady, bootstrapReady]

export function obstacleToLaunch(facts: LaunchFacts): Obstacle | undefined {
  for (const rule of rules) {
    const obstacle = rule(facts)
    if (obstacle) return obstacle
  }
  return undefined
}

/** Core may delete an object that only its MachineSet owns at any time, as an orphan. */
function ownedByMachine({ machine }: LaunchFacts): Obstacle | undefined {
  if (machine) return undefined
  return { reason: 'WaitingForMachine', message: 'Waiting for the Machine that owns this object.' }
}

/**
 * One Machine, one infra machine. A copy of an infra machine has the same owner, and would get its own instance. A move
 * creates new uids on both sides.
 */
function meantByMachine({ infra, resource, machine }: LaunchFacts): Obstacle | undefined {
  if (!machine) return undefined
  const { name, uid } = machine.metadata
  const ref = machine.spec.infrastructureRef
  const itself = `this ${resource.kind} ${infra.metadata.name}`
  if (ref?.apiGroup !== resource.group || ref.kind !== resource.kind || ref.name !== infra.metadata.name) {
    const meant = ref ? `${ref.kind} ${ref.name} of ${ref.apiGroup}` : 'no infra machine'
    const message = `spec.infrastructureRef of Machine ${name} names ${meant}, not ${itself}. Delete ${itself} if it is a copy.`
    return { reason: 'OwnershipConflict', message }
  }
  if (ownerReference(infra, 'Machine')?.uid === uid) return undefined
  const message = `The owner reference of ${itself} has the uid of an earlier Machine ${name}. Delete ${itself} and the Machine.`
  return { reason: 'OwnershipConflict', message }
}

/** A person may change the reference of a Machine to another infra machine, while the old one still has an instance. */
function onlyOne({ infra, machine, siblings, resource }: LaunchFacts): Obstacle | undefined {
  const isBefore = (other: InfraMachine) =>
    other.metadata.name !== infra.metadata.name &&
    ownerReference(other, 'Machine')?.uid === machine?.metadata.uid &&
    mayHaveInstance(other)
  const before = siblings.find(isBefore)
  if (!before) return undefined
  const other = `${resource.kind} ${before.metadata.name}`
  const message = `Machine ${machine?.metadata.name} has or may have an instance already, which belongs to ${other}. Delete ${other} first.`
  return { reason: 'OwnershipConflict', message }
}

function mayHaveInstance(infra: InfraMachine): boolean {
  const reading = readAttempt(infra)
  return infra.spec.providerID !== undefined || (reading.is === 'ours' && !reading.attempt.refused)
}

function inCluster({ cluster, infraCluster, machine, resource }: LaunchFacts): Obstacle | undefined {
  const name = machine?.spec.clusterName
  if (!cluster) return { reason: 'WaitingForCluster', message: `Waiting for Cluster ${name}, which does not exist.` }
  if (infraCluster) return undefined
  const ref = cluster.spec.infrastructureRef
  return { reason: 'WaitingForCluster', message: ref ? awaited(ref, cluster, resource) : refMissing(cluster) }
}

function refMissing({ metadata }: Cluster): string {
  return `Cluster ${metadata.name} has no spec.infrastructureRef: set it to the infrastructure cluster of these machines.`
}

/** A cluster of another provider never becomes one of ours, so it is not awaited. */
function awaited({ kind, name, apiGroup }: ContractRef, { metadata }: Cluster, { group }: Resource): string {
  const refers = `to which Cluster ${metadata.name} refers`
  if (apiGroup === group) return `Waiting for ${kind} ${name}, ${refers}.`
  return `${kind} ${name}, ${refers}, has the API group ${apiGroup}. Set spec.infrastructureRef of the Cluster to an object of ${group}.`
}

function infrastructureReady({ cluster, infraCluster, ownerId }: LaunchFacts): Obstacle | undefined {
  const reason = 'WaitingForClusterInfrastructure'
  const name = cluster?.metadata.name
  if (cluster?.status?.initialization?.infrastructureProvisioned !== true) {
    return { reason, message: `Waiting for the infrastructure of Cluster ${name} to be provisioned.` }
  }
  if (!ownerId) return { reason, message: `Waiting until Cluster ${name} has an owner id.` }
  const kept = infraCluster?.metadata.annotations?.[annotations.ownerId] ?? ownerId
  // An instance launched now would carry an owner id that is about to be taken back.
  return kept === ownerId ? undefined : { reason, message: `Waiting until Cluster ${name} has its owner id back.` }
}

function bootstrapReady({ machine }: LaunchFacts): Obstacle | undefined {
  if (machine?.spec.bootstrap?.dataSecretName) return undefined
  return {
    reason: 'WaitingForBootstrapData',
    message: `Waiting for spec.bootstrap.dataSecretName of Machine ${machine?.metadata.name}.`,
  }
}
