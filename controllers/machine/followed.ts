import type { AttemptReading } from '../../api/attempt.ts'
import type { Verdict } from '../../api/conditions.ts'
import type { ContractRef, InfraMachine } from '../../api/machine.ts'
import type { MachineReason } from '../../api/reasons.ts'
import { misfitOf } from '../../api/rules/attempt-fit.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { Scope } from '../../api/scope.ts'
import type { MachineDeps, Pass } from './pass.ts'

interface Surroundings extends Pick<Pass, 'machine' | 'infraCluster' | 'ownerId'> {
  readonly deps: Pick<MachineDeps, 'notAllowed'>
  readonly cloud: Pick<Cloud, 'name' | 'attemptPatterns'>
  readonly infra: InfraMachine
  /** Of the Cluster. */
  readonly ref: ContractRef | undefined
  readonly home: Scope | undefined
}

/** The attempt that a pass follows; or why nothing may be asked, looked at or ended for this machine. */
export function followed(reading: AttemptReading, around: Surroundings): Pick<Pass, 'attempt' | 'barred'> {
  const attempt = reading.is === 'ours' ? reading.attempt : undefined
  const barred = notAllowed(reading, around) ?? misfit(reading, around) ?? foreign(reading, around)
  return { attempt: barred ? undefined : attempt, barred }
}

function notAllowed(
  reading: AttemptReading,
  { deps, cloud, infra, home }: Surroundings,
): Verdict<MachineReason> | undefined {
  const frozen = reading.is === 'ours' ? { ...reading.attempt.scope, cloud: cloud.name } : undefined
  const scope = home ?? frozen
  const message = scope && deps.notAllowed(infra.metadata.namespace, scope)
  return message === undefined ? undefined : { status: 'Unknown', reason: 'AccountNotAllowed', message }
}

/** The machine buys nothing and keeps its finalizer: the attempt may have an instance, and nobody knows where. */
function misfit(reading: AttemptReading, { cloud, ref, home }: Surroundings): Verdict<MachineReason> | undefined {
  if (reading.is !== 'ours') return undefined
  const context = { cloud: cloud.name, patterns: cloud.attemptPatterns }
  const named = home && { scope: home, name: `${ref?.kind} ${ref?.name}` }
  const why = misfitOf(reading.attempt, { ...context, home: named })
  const message = `${why} The manager does not act on this machine. Restore the annotation. Remove it only if this machine has no instance anywhere.`
  return why === undefined ? undefined : { status: 'Unknown', reason: 'OwnershipConflict', message }
}

/**
 * A machine with an attempt of another machine buys nothing. But a machine that is deleted ends the instances that its
 * name and our owner id prove to be its own, even with such an annotation.
 */
function foreign(reading: AttemptReading, around: Surroundings): Verdict<MachineReason> | undefined {
  const { infra, machine, infraCluster, ownerId } = around
  if (reading.is !== 'foreign' || infra.metadata.deletionTimestamp) return undefined
  // Until these are there `Ready` says that the machine waits for them.
  if (!machine || !infraCluster || !ownerId) return undefined
  return { status: 'Unknown', reason: 'OwnershipConflict', message: `${reading.why} ${reading.remedy}` }
}
