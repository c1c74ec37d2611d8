import { ControlError, verb, type Verb } from './control.ts'

/** A cloud's own limits, as it documents them, or none. */
export const bucketTableNames = ['real', 'none'] as const
export type BucketTableName = (typeof bucketTableNames)[number]

/** How often an account may call. */
export interface BucketControl<Table extends object> {
  /** Other buckets from now on, all of them full; `scale`: so many times the size and the flow. */
  buckets(table: BucketTableName | Table, scale?: number): void
}

interface Buckets<Table extends object> {
  use(table: BucketTableName | Table, scale: number): void
}

export function bucketControl<Table extends object>(buckets: Buckets<Table>): BucketControl<Table> {
  return {
    buckets(table, scale = 1) {
      if (!(scale > 0)) throw new ControlError('"scale" must be a number above 0, such as 0.5 or 10.')
      buckets.use(table, scale)
    },
  }
}

/** The same over HTTP. */
export function bucketVerbs(control: { buckets(table: BucketTableName, scale?: number): void }): readonly Verb[] {
  return [
    verb({
      name: 'buckets',
      does: `token buckets from now on: ${bucketTableNames.join(' or ')}; scale: so many times the size and the flow`,
      fields: { table: 'text', scale: 'number?' },
      run: ({ table, scale }) => control.buckets(tableCalled(table), scale),
    }),
  ]
}

function tableCalled(name: string): BucketTableName {
  const found = bucketTableNames.find((one) => one === name)
  if (found) return found
  throw new ControlError(`"table" must be ${bucketTableNames.map((one) => `"${one}"`).join(' or ')}.`)
}
