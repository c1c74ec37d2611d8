import { ownerNamed, type Cluster, type InfraMachine, type Machine, type Node } from '../../machine.ts'

/** A Machine with its instance's object. */
export interface MachineOfNode {
  readonly machine: Machine
  readonly infra: InfraMachine
}

export interface Candidates {
  readonly cluster: Pick<Cluster, 'metadata'>
  /** The Machines of this Cluster, and perhaps others. */
  readonly machines: readonly Machine[]
  readonly infraOf: (machine: Machine) => InfraMachine | undefined
}

/**
 * The Machine that this Node of this Cluster may speak for. A workload cluster is its users', and they may write
 * anything to a Node. So core must have given the Machine this Node (`nodeRef`), and both must have the same
 * providerID. Undefined if that is no Machine, or more than one.
 */
export function machineOfNode(node: Node, { cluster, machines, infraOf }: Candidates): MachineOfNode | undefined {
  const { namespace, name } = cluster.metadata
  const found: MachineOfNode[] = []
  for (const machine of machines) {
    const isHere = machine.metadata.namespace === namespace && machine.spec.clusterName === name
    if (!isHere || machine.status?.nodeRef?.name !== node.metadata.name) continue
    const infra = infraOf(machine)
    if (infra && isOn(node, machine, infra)) found.push({ machine, infra })
  }
  return found.length === 1 ? found[0] : undefined
}

/** A Machine may name the infra machine of another, so that one has to name the Machine too. */
function isOn({ spec }: Node, machine: Machine, infra: InfraMachine): boolean {
  const isItsInstance = Boolean(spec?.providerID) && infra.spec.providerID === spec?.providerID
  return isItsInstance && ownerNamed(infra, 'Machine') === machine.metadata.name
}
