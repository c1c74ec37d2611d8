/** The first of what every simulated account must have. */
export function firstOf<T>(items: readonly T[], what: string): T {
  const [first] = items
  if (first !== undefined) return first
  throw new Error(`A simulated account needs ${what}`)
}
