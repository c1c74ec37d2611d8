import { readAttempt } from '../../api/attempt.ts'
import { findCondition, timeOf } from '../../api/conditions.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { MachineReason, NoticeReason } from '../../api/reasons.ts'
import { avoidedUntil } from '../../api/rules/capacity/avoided.ts'
import { offeringOf } from '../../api/rules/capacity/chosen.ts'
import { ownGroups } from '../../api/rules/capacity/what-closes.ts'
import { joined, type GroupFacts } from '../../api/rules/group-facts.ts'
import { askedOf } from './group-names.ts'

/**
 * The offerings that took instances back, or have announced it. It goes by conditions of infra machines and not by the
 * annotations of Machines, so that no text of a tenant reaches another tenant.
 */
export function takenBack(
  machines: Iterable<{ readonly infra: InfraMachine | undefined }>,
  now: number,
): Map<string, GroupFacts> {
  const facts = new Map<string, GroupFacts>()
  for (const { infra } of machines) {
    const at = infra && takenBackAt(infra)
    const reading = infra && readAttempt(infra)
    // Who may write the status of a machine could write a time to come.
    if (at === undefined || at > now || reading?.is !== 'ours') continue
    const { scope } = reading.attempt
    const offering = offeringOf(reading.attempt)
    if (!offering) continue
    const group = ownGroups(askedOf({ scope, offering, infra })).offering
    facts.set(group, joined(facts.get(group), { avoidedUntil: avoidedUntil(scope.cloud, at) }))
  }
  return facts
}

const announced: NoticeReason = 'Spot'
const done: MachineReason = 'Interrupted'

function takenBackAt({ status }: InfraMachine): number | undefined {
  const notice = findCondition(status?.conditions, 'InterruptionNotice')
  if (notice?.status === 'True' && notice.reason === announced) return timeOf(notice.lastTransitionTime)
  const ready = findCondition(status?.conditions, 'Ready')
  return ready?.status === 'False' && ready.reason === done ? timeOf(ready.lastTransitionTime) : undefined
}
