import { markIn, nameFor } from '../providers/shared/instance-name.ts'
import type { Mark, Ownership } from '../api/ownership.ts'

/** All of a mark that the name of an instance has room for: a cloud without tags in its lists shows no more. */
export function markInName(ownership: Ownership): Mark {
  const mark = markIn(nameFor(ownership))
  if (!mark) throw new Error('A name of ours has no mark')
  return mark
}
