import type { BucketLimits } from '../wire/bucket.ts'

/** The buckets of a cloud without `--granted-limits`. */
export interface Countings {
  readonly buckets: Readonly<Record<string, BucketLimits>>
  /**
   * The most tokens of a bucket that one turn takes, where it takes more than one. With a smaller bucket the turn would
   * never come.
   */
  readonly leastBursts?: Readonly<Record<string, number>>
}

type Granted = Readonly<Record<string, Readonly<Record<string, BucketLimits>>>>

/** The least burst that lets every call through. */
export function leastBurst({ leastBursts = {} }: Countings, bucket: string): number {
  return leastBursts[bucket] ?? 1
}

/** The first mistake in the limits that an operator grants, as a sentence; undefined: there is none. */
export function wrongGrant(
  granted: Granted,
  clouds: Readonly<Record<string, { readonly counting: Countings }>>,
): string | undefined {
  for (const [cloud, limits] of Object.entries(granted)) {
    if (!Object.hasOwn(clouds, cloud)) return `there is no cloud "${cloud}"; use ${listed(clouds)}.`
    const known = clouds[cloud]?.counting ?? { buckets: {} }
    for (const [bucket, { burst }] of Object.entries(limits)) {
      if (!Object.hasOwn(known.buckets, bucket)) {
        return `${cloud} has no bucket "${bucket}"; use ${listed(known.buckets)}.`
      }
      const least = leastBurst(known, bucket)
      if (burst < least) {
        return `${cloud}:${bucket} has a burst of ${burst}, but one launch takes ${least} of it; grant ${least} or more.`
      }
    }
  }
  return undefined
}

function listed(names: Readonly<Record<string, unknown>>): string {
  return Object.keys(names).join(', ')
}
