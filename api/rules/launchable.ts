import type { Cluster, InfraCluster, Machine } from '../machine.ts'
import type { MachineReason } from '../reasons.ts'

/** What has to be known before a machine may cost money. */
export interface LaunchFacts {
  machine: Machine | undefined
  cluster: Cluster | undefined
  infraCluster: InfraCluster | undefined
  ownerId: string | undefined
}

export interface Obstacle {
  reason: MachineReason
  message: string
}

type Rule = (facts: LaunchFacts) => Obstacle | undefined

/** In the order in which Cluster API fills these in. The first that says something is what people are told. */
const rules: readonly Rule[] = [ownedByMachine, inCluster, infrastructureReady, bootstrapReady]

export function obstacleToLaunch(facts: LaunchFacts): Obstacle | undefined {
  for (const rule of rules) {
    const obstacle = rule(facts)
    if (obstacle) return obstacle
  }
  return undefined
}

/** An object that only its MachineSet owns may be deleted by core as an orphan at any time. */
function ownedByMachine({ machine }: LaunchFacts): Obstacle | undefined {
  if (machine) return undefined
  return { reason: 'WaitingForMachine', message: 'Waiting for the Machine that owns this object.' }
}

function inCluster({ cluster, infraCluster, machine }: LaunchFacts): Obstacle | undefined {
  const name = machine?.spec.clusterName
  if (!cluster) return { reason: 'WaitingForCluster', message: `Waiting for Cluster ${name}, which does not exist.` }
  if (infraCluster) return undefined
  const ref = cluster.spec.infrastructureRef
  const message = ref
    ? `Waiting for ${ref.kind} ${ref.name}, to which Cluster ${name} refers.`
    : `Cluster ${name} has no spec.infrastructureRef: set it to the infrastructure cluster of these machines.`
  return { reason: 'WaitingForCluster', message }
}

function infrastructureReady({ cluster, ownerId }: LaunchFacts): Obstacle | undefined {
  if (cluster?.status?.initialization?.infrastructureProvisioned && ownerId) return undefined
  return {
    reason: 'WaitingForClusterInfrastructure',
    message: `Waiting for the infrastructure of Cluster ${cluster?.metadata.name} to be provisioned.`,
  }
}

function bootstrapReady({ machine }: LaunchFacts): Obstacle | undefined {
  if (machine?.spec.bootstrap?.dataSecretName) return undefined
  return {
    reason: 'WaitingForBootstrapData',
    message: `Waiting for spec.bootstrap.dataSecretName of Machine ${machine?.metadata.name}.`,
  }
}
