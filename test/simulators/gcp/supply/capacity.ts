import type { CapacityHole } from '../../kit/supply/capacity.ts'

/** Where GCE has nothing to give. */
export interface GceHole extends CapacityHole {
  /** Refused at once with a 503; left out: accepted, and the operation fails later, as is usual. */
  readonly synchronous?: boolean
}
