import { readAttempt } from '../../api/attempt.ts'
import { findCondition, timeOf, type Condition } from '../../api/conditions.ts'
import type { Interruption } from '../../api/interruption.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { MachineReason, NoticeReason } from '../../api/reasons.ts'
import { avoidedUntil } from '../../api/rules/capacity/avoided.ts'
import { offeringOf } from '../../api/rules/capacity/chosen.ts'
import { ownGroups } from '../../api/rules/capacity/what-closes.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import { isOfNode } from '../../api/rules/interruption/node-notice.ts'
import { factsOf, joined, type GroupFacts } from '../../api/rules/group-facts.ts'
import { askedOf } from './group-names.ts'
import { inClusterAlone } from './memory.ts'
import type { Subject } from './subjects.ts'

/**
 * The offerings that took instances back, or have announced it. It goes by conditions of infra machines. What a Node
 * announced counts for its own Cluster alone, because the tenant of the Cluster may write to its Nodes. When the Node
 * takes its notice back, the condition stands for a while without a decision.
 */
export function takenBack(
  machines: Iterable<{ readonly machine?: Machine; readonly infra: InfraMachine | undefined }>,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Map<string, GroupFacts> {
  const facts = new Map<string, GroupFacts>()
  for (const { machine, infra } of machines) {
    const reading = infra && readAttempt(infra)
    if (reading?.is !== 'ours') continue
    const { scope, handle } = reading.attempt
    const taken = infra && takenBackAt(infra, decidedFor(machine, handle))
    const offering = offeringOf(reading.attempt)
    // A person who may write the status of a machine could write a time to come.
    if (!offering || taken?.at === undefined || taken.at > now) continue
    const name = ownGroups(askedOf({ scope, offering, infra })).offering
    const group = taken.isOfNode ? inClusterAlone(cluster, name) : name
    facts.set(group, joined(facts.get(group), { avoidedUntil: avoidedUntil(scope.cloud, taken.at) }))
  }
  return facts
}

type Shown = Pick<Subject, 'machine' | 'infra' | 'attempt' | 'outcome'>

/** The facts that the outcomes of a Cluster show. A notice that only a Node gave holds up nothing in other Clusters. */
export function factsShown(machines: Iterable<Shown>, cluster: string): Map<string, GroupFacts> {
  const byNode = Map.groupBy(machines, isByNode)
  const shownBy = (is: boolean) => [...factsOf((byNode.get(is) ?? []).map(({ outcome }) => outcome))]
  const alone = shownBy(true).map(([group, facts]) => [inClusterAlone(cluster, group), facts] as const)
  return new Map([...shownBy(false), ...alone])
}

function isByNode({ machine, infra, attempt, outcome }: Shown): boolean {
  if (outcome.is !== 'failed' || outcome.reason !== 'InterruptionNotice' || endShown(infra)) return false
  const decided = decidedFor(machine, attempt?.handle)
  return decided !== undefined && isOfNode(decided)
}

const announced: NoticeReason = 'Spot'
const done: MachineReason = 'Interrupted'

interface Taken {
  readonly at: number | undefined
  /** As far as is known. */
  readonly isOfNode: boolean
}

function takenBackAt(infra: InfraMachine, decided: Interruption | undefined): Taken | undefined {
  const { status } = infra
  const notice = findCondition(status?.conditions, 'InterruptionNotice')
  const isAnnounced = notice?.status === 'True' && notice.reason === announced
  if (isAnnounced && decided && !isOfNode(decided)) return { at: timeOf(notice.lastTransitionTime), isOfNode: false }
  const end = endShown(infra)
  if (end) return { at: timeOf(end.lastTransitionTime), isOfNode: false }
  return isAnnounced ? { at: timeOf(notice.lastTransitionTime), isOfNode: true } : undefined
}

/** The cloud has shown that it took the instance back. */
export function endShown(infra: InfraMachine | undefined): Condition | undefined {
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  return ready?.status === 'False' && ready.reason === done ? ready : undefined
}
