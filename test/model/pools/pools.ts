import fc from 'fast-check'
import { offeringKey, type CapacityType, type Offering } from '../../../api/offering.ts'
import type { FallbackEntry } from '../../../api/rules/capacity/rung.ts'
import type { Launch } from '../../../providers/instances.ts'
import type { Happening } from '../happening.ts'
import type { World } from '../world.ts'

/** What machines with fallback go on with. The spec itself is m5.large as spot. */
export const fallback: readonly FallbackEntry[] = [{ instanceTypes: ['m5a.large'] }, { capacityType: 'OnDemand' }]

const zone = 'us-east-1a'

/** All that these machines may ask for. */
const offerings: readonly Offering[] = [
  { capacityType: 'Spot', instanceType: 'm5.large', zone },
  { capacityType: 'Spot', instanceType: 'm5a.large', zone },
  { capacityType: 'OnDemand', instanceType: 'm5.large', zone },
]

/** What a launch asks for. A machine without fallback has one offering, and its request names no market. */
export function offeringIn({ request }: Pick<Launch, 'request'>): Offering {
  const asked = request as { readonly instanceType?: string; readonly capacityType?: CapacityType }
  return { capacityType: asked.capacityType ?? 'Spot', instanceType: asked.instanceType ?? 'm5.large', zone }
}

export function poolIn(want: Pick<Launch, 'request'>): string {
  return offeringKey(offeringIn(want))
}

/** Offerings come and go each by itself. */
export const droughts: fc.Arbitrary<Happening> = fc.oneof(
  fc.tuple(fc.subarray([...offerings], { minLength: 1 }), fc.integer({ min: 1, max: 20 })).map(([some, minutes]) => {
    const pools = some.map(offeringKey)
    return {
      sentence: `For ${minutes} minutes there is none of ${pools.join(' and ')}`,
      befall: (world: World) => world.dry(minutes * 60_000, pools),
    }
  }),
  fc.constant({
    sentence: 'What the cloud accepts next it cannot start',
    befall: (world: World) => void (world.cloud.manners.doomsNext = true),
  }),
)
