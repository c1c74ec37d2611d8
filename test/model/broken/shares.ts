import { vi } from 'vitest'
import { Claims } from '../../../controllers/capacity/claims.ts'
import { Siblings } from '../../../controllers/capacity/siblings.ts'
import { after, aWhile, type BrokenWorld } from './world.ts'

const isOne = { hasFallback: true, share: { onDemandBase: 1, onDemandPercentAboveBase: 0 } } as const

/** A fault for each law about the share on demand. */
export const brokenShares: readonly BrokenWorld[] = [
  {
    ...isOne,
    fault: 'those who are about to ask count for nothing',
    says: /2 of the 2 Machines of set-1 are on demand, which are more than the share of 2/,
    befall: () => void vi.spyOn(Claims.prototype, 'of').mockReturnValue(undefined),
  },
  {
    ...isOne,
    fault: 'a Machine takes a sibling for on demand that is not',
    says: /0 of the 2 Machines of set-1 are on demand, which are fewer than 1: it was to have 2/,
    befall: () => void vi.spyOn(Siblings.prototype, 'marketsBeside').mockReturnValue(['OnDemand']),
  },
  {
    ...isOne,
    fault: 'after etcd was restored nobody counts',
    says: /set-1 had 2 Machines, 2 of them on demand. Of 2 more 2 are on demand, and not 0/,
    happenings: [
      aWhile,
      after(1_000, (world) => {
        world.shareLaw.restored()
        vi.spyOn(Siblings.prototype, 'marketsBeside').mockReturnValue([])
      }),
    ],
  },
]
