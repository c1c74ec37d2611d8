import type { BucketLimits } from '../wire/bucket.ts'

/** What a cloud counts our calls in, as it stands without `--granted-limits`. */
export interface Countings {
  readonly buckets: Readonly<Record<string, BucketLimits>>
  /**
   * The most tokens of a bucket that one turn takes, where that is more than one: a smaller bucket never lets it go.
   */
  readonly leastBursts?: Readonly<Record<string, number>>
}

type Granted = Readonly<Record<string, Readonly<Record<string, BucketLimits>>>>

/** The least burst with which all calls that take of the bucket can be made. */
export function leastBurst({ leastBursts = {} }: Countings, bucket: string): number {
  return leastBursts[bucket] ?? 1
}

/** What is wrong with what an operator grants, as a sentence; undefined where all of it can take effect. */
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
