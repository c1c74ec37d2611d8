/**
 * Parses the annotation of an object once. A pass looks at every Machine of a Cluster, and a storm leads to a hundred
 * passes over a thousand Machines that have mostly not changed. What `parse` returns is shared, so nobody may change it.
 */
export function parseOnce<T>(parse: (text: string) => T): (object: object, text: string) => T {
  const known = new WeakMap<object, { readonly text: string; readonly parsed: T }>()
  return (object, text) => {
    const before = known.get(object)
    if (before?.text === text) return before.parsed
    const parsed = parse(text)
    known.set(object, { text, parsed })
    return parsed
  }
}
