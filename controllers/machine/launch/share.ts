import type { CapacityType } from '../../../api/offering.ts'
import { usableRungs, type RungOfferings } from '../../../api/rules/capacity/choice.ts'
import type { Walk } from '../../../api/rules/capacity/tried.ts'
import { distributionOf } from '../../capacity/siblings.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import type { Pass } from '../pass.ts'

/** What `distribution` makes of the rungs of a machine. */
export interface Share {
  readonly rungs: readonly RungOfferings[]
  /** What it has to use. Left out: any. */
  readonly wanted: { readonly market?: CapacityType }
  /** As what its siblings count it while it waits. Left out without `distribution`. */
  readonly countsAs: { readonly market?: CapacityType }
}

/** Before each choice anew, because siblings come and go. Without `distribution` the rungs stay as they are. */
export function shareOf(pass: Pass, { rungs, walk }: { rungs: readonly RungOfferings[]; walk: Walk }): Share {
  const { infra, machine, cluster, deps } = pass
  const distribution = distributionOf(infra)
  if (!distribution || !machine || !cluster) return { rungs, wanted: {}, countsAs: {} }
  const market = deps.launches.siblings.marketFor({ machine, cluster: keyOf(cluster) }, distribution)
  if (!market) return { rungs, wanted: {}, countsAs: { market: 'Spot' } }
  const usable = usableRungs({ rungs, walk, market })
  const isThere = usable.some(({ rung }) => rung.capacityType === market)
  return { rungs: usable, wanted: { market }, countsAs: { market: isThere ? market : 'Spot' } }
}
