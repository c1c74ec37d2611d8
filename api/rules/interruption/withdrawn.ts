import { timeOf } from '../../conditions.ts'
import type { Interruption } from '../../interruption.ts'
import type { Notice, NoticeSource } from '../../notice.ts'

/** What a source has shown, by a list that came through to its end. */
export interface Listed {
  readonly source: NoticeSource
  readonly begunAt: number
  /** The instances of ours that are up there. */
  readonly up: ReadonlySet<string>
  /** Those of them with a notice that holds. */
  readonly noticed: ReadonlySet<string>
  /** Notices that are still shown and hold no longer. */
  readonly over: readonly Notice[]
}

/** The sources that say the same again while it holds. The others say it once, and nobody takes it back. */
const repeating: ReadonlySet<NoticeSource> = new Set<NoticeSource>(['SpotRequests', 'Status', 'Node', 'Agent'])

/** Whether the source may show one day that the notice holds no longer. */
export function mayBeWithdrawn(source: NoticeSource): boolean {
  return repeating.has(source)
}

/**
 * Whether a source has taken back the notice of this decision: it shows the notice as over, or it shows it no longer.
 * Lists of clouds are late at times, so that has to be so twice, in lists that began after the decision. `lists`: of
 * one source, the newest first. A process that has just begun has none, and a list that failed is none.
 */
export function isWithdrawn(decided: Interruption, lists: readonly Listed[]): boolean {
  const [last, before] = lists
  if (!last || shows(last, decided)) return false
  if (last.over.some((notice) => isSame(notice, decided))) return true
  return before !== undefined && lacks(last, decided) && lacks(before, decided)
}

function shows({ noticed }: Listed, { instance }: Interruption): boolean {
  return noticed.has(instance)
}

/** EC2 tells of the same event by several sources, and of each with the same time. */
function isSame({ instance, kind, deadline }: Notice, decided: Interruption): boolean {
  const isAbout = instance === decided.instance && kind === decided.kind
  return isAbout && deadline !== undefined && sameSecond(deadline, timeOf(decided.deadline))
}

/** Decisions have whole seconds. */
function sameSecond(a: number, b: number | undefined): boolean {
  return b !== undefined && Math.floor(a / 1000) === Math.floor(b / 1000)
}

/** Whether the list should show the notice of this decision, and does not. */
function lacks(list: Listed, decided: Interruption): boolean {
  const decidedAt = timeOf(decided.at)
  const isLater = decidedAt !== undefined && list.begunAt > decidedAt
  return isLater && list.source === decided.source && list.up.has(decided.instance) && !shows(list, decided)
}
