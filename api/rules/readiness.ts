import type { CloudError } from '../cloud-error.ts'
import type { Verdict } from '../conditions.ts'
import type { Instance } from '../instance.ts'
import type { MachineReason } from '../reasons.ts'
import { refusals, type WaitingReason } from '../refusal.ts'
import { inSentence, sentence } from '../sentence.ts'

/** The part of an instance that decides whether its machine is ready. */
type Observed = Pick<Instance, 'id' | 'state' | 'reason' | 'interrupted' | 'failure'>

/** The code and the message of a refusal. */
type Refused = Pick<CloudError, 'kind' | 'code' | 'message'>

/**
 * `Ready` follows the state of the instance: Unknown while it starts, True while it runs, False for good after that. No
 * state leads to a restart.
 */
export function readinessOf(instance: Observed): Verdict<MachineReason> {
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

function ended(
  { id, state, reason, interrupted, failure }: Observed,
  otherwise: MachineReason,
): Verdict<MachineReason> {
  const why = failure ?? reason
  return {
    status: 'False',
    reason: failure ? refusals[failure.kind].failsWith : interrupted ? 'Interrupted' : otherwise,
    message: `Instance ${id} is ${state}${why ? `: ${why.code}: ${sentence(why.message)}` : '. The cloud gave no reason.'}`,
  }
}

const replaced = 'Cluster API replaces a Machine of a MachineDeployment after a pause. Replace any other yourself.'

/** The next step of the manager or of core, and the remedies of a person. */
const advice: Partial<Record<MachineReason, string>> = {
  InsufficientCapacity: `${replaced} You can also change the instance type or the zone in a new template.`,
  QuotaExceeded: `Raise the quota of the account, or use fewer machines. ${replaced}`,
  MaxPriceTooLow: `Raise the maximum price in a new template, or leave it out there. ${replaced}`,
  SubnetFull: `Add a larger subnet to the infrastructure cluster. ${replaced}`,
  ReservationUnavailable: `Check the reservation, or leave it out in a new template. ${replaced}`,
  InvalidConfiguration: 'Correct what the message names, then replace the Machine.',
}

/** For a machine with a definite refusal, by the cloud or by our own check. */
export function refusedVerdict(refused: Refused): Verdict<MachineReason> {
  const reason = refusals[refused.kind].failsWith
  const next = advice[reason] ?? replaced
  return {
    status: 'False',
    reason,
    message: `The launch of this machine failed: ${refused.code}: ${sentence(refused.message)} The manager does not try again. ${next}`,
  }
}

/** For a machine without a request, because a condition for its launch is not met. */
export function unaskedVerdict(found: Refused): Verdict<MachineReason> {
  return {
    status: 'Unknown',
    reason: refusals[found.kind].failsWith,
    message:
      `The launch cannot start: ${found.code}: ${sentence(found.message)} The manager checks again within 5 minutes, ` +
      'and at once when the Machine or its infrastructure cluster changes. The fields of this object cannot change: ' +
      'correct them in a new template, then replace the Machine.',
  }
}

/** For a launch that waits for the cloud or for a person. The same error gives the same text, which is written once. */
export function waitingVerdict(reason: WaitingReason, error: Refused): Verdict<MachineReason> {
  return { status: 'Unknown', reason, message: waitingSentences[reason](error) }
}

const waitingSentences: Readonly<Record<WaitingReason, (error: Refused) => string>> = {
  Launching: () => 'The rate limit of the cloud delays this launch.',
  CloudUnavailable: (error) =>
    `The cloud gave no usable answer. ${inSentence(error)}. The manager repeats the same request.`,
  CredentialsDenied: (error) =>
    `The cloud rejected the credentials or permissions of the manager. ${inSentence(error)}. Correct them; the manager tries again within 5 minutes.`,
  OwnershipConflict: ({ message }) => message,
}
