import type { Verdict } from '../conditions.ts'
import type { MachineReason } from '../reasons.ts'
import { sentence } from '../sentence.ts'

/** The part of an instance that decides whether its machine is ready. */
export interface Served {
  id: string
  state: 'pending' | 'running' | 'stopping' | 'stopped' | 'terminating' | 'terminated' | 'leftover'
  reason?: { code: string; message: string }
  interrupted?: boolean
  failure?: { kind: string; code: string; message: string }
}

/**
 * What the state of an instance says of its machine. Unknown on the way up, True while it runs, False for good after.
 */
export function readinessOf(instance: Served): Verdict<MachineReason> {
  switch (instance.state) {
    case 'pending':
      return { status: 'Unknown', reason: 'InstanceStarting', message: `Instance ${instance.id} is starting.` }
    case 'running':
      return { status: 'True', reason: 'Running', message: `Instance ${instance.id} is running.` }
    case 'stopping':
    case 'stopped':
      return ended(instance, 'InstanceStopped')
    case 'terminating':
    case 'terminated':
    case 'leftover':
      return ended(instance, 'InstanceTerminated')
  }
}

export function goneVerdict(id: string): Verdict<MachineReason> {
  return {
    status: 'False',
    reason: 'InstanceGone',
    message: `Instance ${id} is gone: neither the list of the cloud nor a direct request shows it.`,
  }
}

function ended({ id, state, reason, interrupted, failure }: Served, otherwise: MachineReason): Verdict<MachineReason> {
  const why = failure ?? reason
  return {
    status: 'False',
    reason: failure ? refusalReason(failure.kind) : interrupted ? 'Interrupted' : otherwise,
    message: `Instance ${id} is ${state}${why ? `: ${why.code}: ${sentence(why.message)}` : '. The cloud gave no reason.'}`,
  }
}

const refusalReasons: Readonly<Record<string, MachineReason>> = {
  capacity: 'InsufficientCapacity',
  quota: 'QuotaExceeded',
  price: 'MaxPriceTooLow',
  subnet: 'SubnetFull',
  reservation: 'ReservationUnavailable',
  invalid: 'InvalidConfiguration',
}

/** The reason for a refusal, by its kind, at the call or after the fact. */
export function refusalReason(kind: string): MachineReason {
  return refusalReasons[kind] ?? 'LaunchFailed'
}

const replaced = 'Cluster API replaces a Machine of a MachineDeployment after a pause. Replace any other yourself.'

/** What comes next by itself, and what a person may do. */
const advice: Partial<Record<MachineReason, string>> = {
  InsufficientCapacity: `${replaced} You can also change the instance type or the zone in a new template.`,
  QuotaExceeded: `Raise the quota of the account, or use fewer machines. ${replaced}`,
  MaxPriceTooLow: 'Raise the maximum price in the template or leave it out, then replace the Machine.',
  SubnetFull: 'Use a larger subnet, then replace the Machine.',
  ReservationUnavailable: 'Check the reservation, then replace the Machine.',
  InvalidConfiguration: 'Correct what the message names, then replace the Machine.',
}

/** For a machine that was refused for good, by the cloud or, for what no cloud would take, by ourselves. */
export function refusedVerdict(refused: { kind: string; code: string; message: string }): Verdict<MachineReason> {
  const reason = refusalReason(refused.kind)
  const next = advice[reason] ?? replaced
  return {
    status: 'False',
    reason,
    message: `The launch of this machine failed: ${refused.code}: ${sentence(refused.message)} The manager does not try again. ${next}`,
  }
}

/** For a machine for which no instance was asked, because what its launch needs is not as it has to be. */
export function unaskedVerdict(found: { kind: string; code: string; message: string }): Verdict<MachineReason> {
  return {
    status: 'Unknown',
    reason: refusalReason(found.kind),
    message:
      `The launch cannot start: ${found.code}: ${sentence(found.message)} The manager checks again within 5 minutes, ` +
      'and at once when the Machine or its infrastructure cluster changes. The fields of this object cannot change: ' +
      'correct them in a new template, then replace the Machine.',
  }
}
