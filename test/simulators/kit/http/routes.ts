/** What stands in an address, by the names that an action gives to its places. */
export type Places = Readonly<Record<string, string>>

interface Addressed {
  readonly method: string
  /** With `{name}` for what differs from call to call. */
  readonly path: string
}

export type Match<A> =
  | { readonly action: A; readonly place: Places }
  /** There is such an address, for other methods. */
  | 'method'
  | 'nowhere'

/** `loose`: the case of letters does not matter, nor does a slash too many. */
type Reading = 'exact' | 'loose'

interface Route<A> {
  readonly action: A
  readonly form: readonly string[]
}

/** Finds the action that a call means by its method and path. */
export class Routes<A extends Addressed> {
  readonly #bySize: ReadonlyMap<number, readonly Route<A>[]>
  readonly #reading: Reading

  constructor(actions: readonly A[], reading: Reading = 'exact') {
    const routes = actions.map((action) => ({ action, form: segmentsOf(action.path, reading) }))
    this.#bySize = Map.groupBy(routes, ({ form }) => form.length)
    this.#reading = reading
  }

  match(method: string, path: string): Match<A> {
    const segments = segmentsOf(path, this.#reading)
    let found: Match<A> = 'nowhere'
    for (const { action, form } of this.#bySize.get(segments.length) ?? []) {
      const place = placesOf(segments, form, this.#reading)
      if (place && action.method === method) return { action, place: decoded(place) }
      if (place) found = 'method'
    }
    return found
  }
}

/** What stands in a path of this form; undefined: it has another form. */
export function placesIn(path: string, form: string): Places | undefined {
  return placesOf(path.split('/'), form.split('/'), 'exact')
}

function placesOf(segments: readonly string[], form: readonly string[], reading: Reading): Places | undefined {
  if (segments.length !== form.length) return undefined
  const places: Record<string, string> = {}
  for (const [at, name] of form.entries()) {
    const segment = segments[at] ?? ''
    if (name.startsWith('{')) places[name.slice(1, -1)] = segment
    else if (name !== segment && (reading === 'exact' || name.toLowerCase() !== segment.toLowerCase())) return undefined
  }
  return places
}

function segmentsOf(path: string, reading: Reading): readonly string[] {
  const segments = path.split('/')
  return reading === 'exact' ? segments : segments.filter((segment) => segment !== '')
}

function decoded(places: Places): Places {
  return Object.fromEntries(Object.entries(places).map(([name, segment]) => [name, decode(segment)]))
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
