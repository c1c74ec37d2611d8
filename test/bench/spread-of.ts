import { percentile } from './watch-ready.ts'

export type Spread<Name extends string> = Readonly<Record<`${Name}P50Ms` | `${Name}P99Ms`, number>>

/** The median of the times, and what all but one in a hundred keep to. */
export function spreadOf<Name extends string>(name: Name, times: readonly number[]): Spread<Name> {
  const ascending = times.toSorted((a, b) => a - b)
  const spread = { [`${name}P50Ms`]: percentile(ascending, 0.5), [`${name}P99Ms`]: percentile(ascending, 0.99) }
  return spread as Spread<Name>
}
