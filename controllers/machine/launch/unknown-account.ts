import { readAttempt } from '../../../api/attempt.ts'
import type { Verdict } from '../../../api/conditions.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import type { Pass } from '../pass.ts'

/**
 * Other machines of the cluster have instances, and nothing says in which account: made by a version that did not note
 * it, and not shown to our credentials until now. With those nothing is bought.
 */
export function unknownAccount({ home, cluster, deps, key }: Pass): Verdict<MachineReason> | undefined {
  if (!cluster || !home || home.account !== undefined) return undefined
  const { namespace, name } = cluster.metadata
  const others = deps.infraMachines.by('cluster', `${namespace}/${name}`).filter((machine) => keyOf(machine) !== key)
  if (!others.some(isSomewhere)) return undefined
  return {
    status: 'Unknown',
    reason: 'CredentialsDenied',
    message:
      'Other machines of this cluster have instances, but the cloud does not show them to the manager. Nothing is ' +
      'created until the account of the cluster is known.',
  }
}

function isSomewhere(machine: InfraMachine): boolean {
  const reading = readAttempt(machine)
  if (reading.is !== 'ours') return machine.spec.providerID !== undefined
  const { handle, scope } = reading.attempt
  return handle !== undefined && scope.account === undefined
}
