import type { Interruption, InterruptionAct } from '../../interruption.ts'
import { isPlanned } from '../../notice.ts'
import { mayBeWithdrawn } from './withdrawn.ts'

/** The weakest first. Of the last two neither raises the other. */
const strength: Readonly<Record<InterruptionAct, number>> = { Tell: 0, Cordon: 1, Remediate: 2, Delete: 2 }

/**
 * What a second notice changes, if it alone would have led to `after`. A stronger act counts, and an earlier deadline.
 * Undefined: nothing.
 */
export function raised(before: Interruption, after: Interruption): Interruption | undefined {
  const { deadline, kind, source, heldPods } = after
  const isEarlier = deadline !== undefined && isMuchEarlier(deadline, before.deadline, after.at)
  // A deadline that has passed did not come true.
  const stands = isEarlier || before.deadline === undefined || before.deadline < after.at ? deadline : before.deadline
  if (strength[after.act] > strength[before.act]) return { ...after, deadline: stands }
  if (strength[after.act] < strength[before.act]) return undefined
  if (isTurnedIntoAnEnd(before, after)) return { ...before, deadline: stands, kind, source, heldPods }
  if (changesTheWait(before, after)) return { ...after, deadline: stands }
  return isEarlier ? earlier(before, { deadline, kind, source }) : firmer(before, after)
}

/** What waits for its turn stays what it is: by its kind it is known to be planned. */
function earlier(before: Interruption, by: Pick<Interruption, 'deadline' | 'kind' | 'source'>): Interruption {
  return before.isWaiting && !isPlanned(by.kind) ? { ...before, deadline: by.deadline } : { ...before, ...by }
}

/** What was planned comes by itself now: it is replaced already, and its Pods have no more time than others. */
function isTurnedIntoAnEnd(before: Interruption, after: Interruption): boolean {
  return before.act === 'Delete' && isPlanned(before.kind) && !isPlanned(after.kind)
}

/** What was only told of is to be replaced, or a policy that changed lets what waited for its turn stay. */
function changesTheWait(before: Interruption, after: Interruption): boolean {
  const begins = after.isWaiting === true && before.isWaiting !== true && isPlanned(before.kind)
  const isOfTheSame = before.kind === after.kind && before.source === after.source
  // With a reason it cannot be replaced now. That may change, as when a cache lacks its MachineSet.
  const isLetStay = after.isWaiting !== true && after.because === undefined
  return begins || (before.isWaiting === true && isLetStay && isOfTheSame)
}

/**
 * The same is said by a source that says it once. It would not say it again when the other source has taken it back.
 * What was begun is not taken back.
 */
function firmer(before: Interruption, { kind, source }: Interruption): Interruption | undefined {
  const isBegun = before.act === 'Delete' || before.act === 'Remediate'
  const isFirmer = mayBeWithdrawn(before.source) && !mayBeWithdrawn(source)
  return !isBegun && isFirmer && kind === before.kind ? { ...before, source } : undefined
}

/** By a tenth of what is left, so that a source that moves its deadline by seconds leads to few writes. */
const muchEarlier = 0.1

function isMuchEarlier(deadline: string, before: string | undefined, now: string): boolean {
  if (before === undefined) return true
  const left = Math.max(0, Date.parse(before) - Date.parse(now))
  return deadline < before && Date.parse(before) - Date.parse(deadline) >= muchEarlier * left
}
