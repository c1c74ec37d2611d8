import { readAttempt, type Attempt } from '../../api/attempt.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { offeringOf } from '../../api/rules/capacity/chosen.ts'
import { noGroups, type KnownGroups } from '../../api/rules/capacity/what-closes.ts'
import { timeOf } from '../../api/conditions.ts'
import { machineLabels } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import { isReplaceable, isSkipped } from '../../api/rules/markers.ts'
import { outcomeOf, type LaunchFacts, type Outcome, type OutcomeFacts } from '../../api/rules/outcome.ts'
import { isManaged, policyFor, policyKeyOf, termsOf, type Terms } from '../../api/rules/policy.ts'
import type { Candidate } from '../../api/rules/remediation.ts'
import type { Offering } from '../../api/offering.ts'
import { hasFallback } from './fallback.ts'
import { groupNamesOf, ownerOf } from './group-names.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { infraOf, type InfraMachines } from '../shared/infra-of.ts'

/** A Machine with all that its backoff needs to know about it. */
export interface Subject extends Candidate {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  readonly attempt: Attempt | undefined
  readonly offering: Offering | undefined
  readonly terms: Terms
  /** Names the policy of the Machine. Machines of one policy share their backoff. */
  readonly policyKey: string
  /** Whether our health check removes it when it is due. */
  readonly isManaged: boolean
}

/** The Machines of a Cluster and their policies. */
export interface Scene {
  readonly machines: readonly Machine[]
  /** The oldest first. */
  readonly policies: readonly InterruptionPolicy[]
  /** Keys of the Machines whose infra machine is gone. */
  readonly missingInfra?: ReadonlySet<string>
  /** The backoff groups that the Machines of a policy know. */
  readonly known?: (policyKey: string) => KnownGroups
  /** What the memory knows of the launch of a Machine, by its key. */
  readonly launchOf?: (machine: string) => LaunchFacts | undefined
}

const nobody: ReadonlySet<string> = new Set()
const nothing = () => undefined
const none = () => noGroups

export function subjectsOf(
  { machines, policies, missingInfra = nobody, known = none, launchOf = nothing }: Scene,
  deps: InfraMachines,
  now: number,
): Subject[] {
  return machines.map((machine): Subject => {
    const key = keyOf(machine)
    const infra = infraOf(machine, deps)
    const attempt = infra && attemptOf(infra)
    const policy = policyFor(machine, policies)
    const terms = termsOf(policy?.spec)
    const owner = ownerOf(machine)
    const offering = attempt && offeringOf(attempt)
    const groups = groupNamesOf({ machine, infra, attempt }, known(policyKeyOf(policy)))
    const outcome: Outcome = outcomeOf({
      machine,
      infra,
      isInfraMissing: missingInfra.has(key),
      noticedAt: failedByNoticeAt(machine, attempt?.handle),
      groups,
      ...refusalOf(attempt),
      hasFallback: infra !== undefined && hasFallback(infra),
      launch: launchOf(key),
      terms,
      now,
    })
    return {
      key,
      owner,
      outcome,
      isReleased: machine.metadata.labels?.[machineLabels.remediationDue] !== undefined,
      isFixed: !isReplaceable(machine) || isSkipped(machine),
      machine,
      infra,
      attempt,
      offering,
      terms,
      policyKey: policyKeyOf(policy),
      isManaged: isManaged(machine, policies),
    }
  })
}

/** When its notice was decided, if the Machine counts as failed since then. */
function failedByNoticeAt(machine: Machine, instance: string | undefined): number | undefined {
  const decided = decidedFor(machine, instance)
  return decided?.act === 'Remediate' ? timeOf(decided.at) : undefined
}

function refusalOf(attempt: Attempt | undefined): Pick<OutcomeFacts, 'requestedAt' | 'refusedAt' | 'goesOn'> {
  const { startedAt, refused } = attempt ?? {}
  return { requestedAt: timeOf(startedAt), refusedAt: timeOf(refused?.at), goesOn: refused?.goesOn === true }
}

function attemptOf(infra: InfraMachine): Attempt | undefined {
  const reading = readAttempt(infra)
  return reading.is === 'ours' ? reading.attempt : undefined
}
