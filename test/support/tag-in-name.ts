import { tagIn, nameFor } from '../../providers/shared/instance-name.ts'
import type { OwnershipTag, Ownership } from '../../api/ownership.ts'

/** All of a tag that the name of an instance has room for: a cloud without tags in its lists shows no more. */
export function markInName(ownership: Ownership): OwnershipTag {
  const tag = tagIn(nameFor(ownership))
  if (!tag) throw new Error('A name of ours has no tag')
  return tag
}
