import { ControlError, oneOf, verbsOf, type Verb } from './verb.ts'

/** A cloud's own limits, as it documents them, or none. */
export const bucketTableNames = ['real', 'none'] as const
export type BucketTableName = (typeof bucketTableNames)[number]

/** How often an account may call. */
export interface BucketControl<Table extends object> {
  /** Other buckets from now on, all of them full; `scale`: so many times the size and the flow. */
  buckets(table: BucketTableName | Table, scale?: number): void
}

export interface SwitchableBuckets<Table extends object> {
  use(table: BucketTableName | Table, scale: number): void
  /** What is in the buckets that have been used. */
  levels(): Readonly<Record<string, number>>
}

export function bucketControl<Table extends object>(buckets: SwitchableBuckets<Table>): BucketControl<Table> {
  return {
    buckets(table, scale = 1) {
      if (!(scale > 0)) throw new ControlError('"scale" must be a number above 0, such as 0.5 or 10.')
      buckets.use(table, scale)
    },
  }
}

/** The same over HTTP. */
export function bucketVerbs(control: { buckets(table: BucketTableName, scale?: number): void }): readonly Verb[] {
  const does = `token buckets from now on: ${bucketTableNames.join(' or ')}; scale: so many times the size and the flow`
  return [verbsOf(control)('buckets', does, ['table', oneOf(bucketTableNames)], ['scale', 'number?'])]
}
