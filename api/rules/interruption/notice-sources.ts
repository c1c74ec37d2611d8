import type { Verdict } from '../../conditions.ts'
import type { NoticeSourceReason } from '../../reasons.ts'

/** Whether a source of notices works. A source that does not apply has no state. */
export interface SourceState {
  /** In words, such as "EC2 spot requests". */
  readonly source: string
  readonly works: boolean
  /** A sentence for people. */
  readonly message: string
}

/**
 * The condition NoticeSources of an infrastructure cluster. `wasSaid`: it stands there already. Undefined: there is
 * nothing to say.
 */
export function noticeSourcesVerdict(
  states: readonly SourceState[],
  wasSaid: boolean,
): Verdict<NoticeSourceReason> | undefined {
  if (states.length === 0) return wasSaid ? noneAsked : undefined
  const failing = states.filter(({ works }) => !works)
  const told = failing.length > 0 ? failing : states
  const message = told.map(({ source, message: why }) => `${source}: ${why}`).join(' ')
  return failing.length > 0
    ? { status: 'False', reason: 'SomeFail', message }
    : { status: 'True', reason: 'AllWork', message }
}

const noneAsked: Verdict<NoticeSourceReason> = {
  status: 'Unknown',
  reason: 'NoneAsked',
  message: 'No instance runs that a notice could be about.',
}
