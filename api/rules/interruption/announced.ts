import type { Interruption } from '../../interruption.ts'
import type { Notice, NoticeKind } from '../../notice.ts'

/** The instance ends. The other kinds say that it may, or are a fire drill. */
const ends: ReadonlySet<NoticeKind> = new Set(['Spot', 'CapacityEnding'])

/** Whether the end of the instance was announced. Without a deadline a lifetime is the policy's, not the cloud's. */
export function isAnnounced(decided: Interruption | undefined): boolean {
  if (decided === undefined) return false
  return ends.has(decided.kind) || (decided.kind === 'Lifetime' && decided.deadline !== undefined)
}

/** Whether an interruption begins with this decision, so that each counts once. */
export function beginsInterruption(before: Interruption | undefined, decided: Interruption): boolean {
  return isAnnounced(decided) && !isAnnounced(before)
}

/** What came of a notice. A source that shows a notice again and again has mostly known ones. */
export const noticeResults = {
  recorded: 'a decision was written',
  known: 'the decision stands already',
  ended: 'the instance has ended',
  ignored: 'the policy asks for nothing, or the deadline is long over',
  foreign: 'it names no instance of ours, or comes from another account',
  stale: 'it is older than the attempt of its instance',
  absurd: 'a time in it cannot be true',
  malformed: 'it cannot be read',
  unknown: 'it is about something else',
  withdrawn: 'its source took it back, and so did the manager what had followed',
  dropped: 'too many notices of unknown instances were waiting',
} as const

export type NoticeResult = keyof typeof noticeResults

interface Judged {
  readonly notice: Notice
  /** The instance of the Machine. */
  readonly instance: string | undefined
  readonly hasEnded: boolean
  readonly before: Interruption | undefined
  readonly decided: Interruption | undefined
}

export function noticeResultOf({ notice, instance, hasEnded, before, decided }: Judged): NoticeResult {
  if (notice.instance !== instance) return 'foreign'
  if (hasEnded) return 'ended'
  if (decided) return 'recorded'
  return before ? 'known' : 'ignored'
}
