import type { Verdict } from '../../conditions.ts'
import { readInterruption, type Interruption } from '../../interruption.ts'
import type { Machine } from '../../machine.ts'
import type { NoticeReason } from '../../reasons.ts'

const stays = 'The Machine stays, as its InterruptionPolicy says, or the default without one.'

/** What was announced, and what follows. */
export function inWords(decided: Interruption): string {
  const { instance, kind, deadline, act, because } = decided
  const { isAhead, drain } = decided
  const serves = drain === 'WhenReplaced' ? ' Its Node serves until the replacement is available.' : ''
  const end = deadline === undefined ? '' : ` It ends at ${deadline.slice(11, 19)} UTC or later.`
  const next = {
    Delete: `The manager deletes the Machine, and its MachineSet replaces it ${isAhead ? 'at once' : 'when it is gone'}.${serves}`,
    Remediate:
      'The Machine counts as failed. It is replaced at once, or after a pause if its instance ran for less than minHealthySeconds.',
    Cordon: `The Node takes no further Pods. ${because ?? stays}`,
    Tell: because ?? stays,
  }
  return `Notice of kind ${kind} for instance ${instance}.${end} ${next[act]}`
}

/**
 * The decision about this instance, as it stands on its Machine. A decision about another instance, or garbage, counts
 * as none.
 */
export function decidedFor(machine: Machine | undefined, instance: string | undefined): Interruption | undefined {
  const reading = machine && readInterruption(machine)
  return reading?.is === 'ours' && reading.interruption.instance === instance ? reading.interruption : undefined
}

/** The condition InterruptionNotice. `wasSaid`: it stands there already. Undefined: there is nothing to say. */
export function noticeVerdict(decided: Interruption | undefined, wasSaid: boolean): Verdict<NoticeReason> | undefined {
  if (decided) return { status: 'True', reason: decided.kind, message: inWords(decided) }
  return wasSaid ? { status: 'False', reason: 'NoNotice', message: 'No notice holds for the instance.' } : undefined
}
