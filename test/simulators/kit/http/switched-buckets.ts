import type { Clock } from '../../../../api/ctx.ts'
import type { BucketTableName } from '../control/bucket-control.ts'
import { TokenBuckets } from './token-buckets.ts'

/** Token buckets of the sizes that a table says; another table can be put in its place. */
export class SwitchedBuckets<Table extends object> {
  readonly #clock: Clock
  readonly #tables: Readonly<Record<BucketTableName, Table>>
  protected table: Table
  protected buckets: TokenBuckets

  constructor(clock: Clock, tables: Readonly<Record<BucketTableName, Table>>, table: BucketTableName | Table) {
    this.#clock = clock
    this.#tables = tables
    this.table = this.#named(table)
    this.buckets = new TokenBuckets(clock)
  }

  /** Other buckets from now on, all of them full. `scale`: so many times the size and the flow. */
  use(table: BucketTableName | Table, scale = 1): void {
    this.table = this.#named(table)
    this.buckets = new TokenBuckets(this.#clock, scale)
  }

  /** What is in the buckets that have been used. */
  levels(): Readonly<Record<string, number>> {
    return this.buckets.levels()
  }

  #named(table: BucketTableName | Table): Table {
    return typeof table === 'string' ? this.#tables[table] : table
  }
}
