import type { Action } from './action.ts'

export type Match =
  | { readonly action: Action; readonly place: Readonly<Record<string, string>> }
  /** There is such an address, for other methods. */
  | 'method'
  | 'nowhere'

interface Route {
  readonly action: Action
  readonly segments: readonly string[]
}

/** Finds the action that a call means by its method and path. */
export class Routes {
  readonly #bySize: ReadonlyMap<number, readonly Route[]>

  constructor(actions: readonly Action[]) {
    const routes = actions.map((action) => ({ action, segments: segmentsOf(action.path) }))
    this.#bySize = Map.groupBy(routes, ({ segments }) => segments.length)
  }

  match(method: string, path: string): Match {
    const segments = segmentsOf(path)
    let found: Match = 'nowhere'
    for (const { action, segments: pattern } of this.#bySize.get(segments.length) ?? []) {
      const place = placeOf(pattern, segments)
      if (place && action.method === method) return { action, place }
      if (place) found = 'method'
    }
    return found
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function placeOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const place: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at] ?? ''
    if (expected.startsWith('{')) place[expected.slice(1, -1)] = decode(segment)
    else if (expected.toLowerCase() !== segment.toLowerCase()) return undefined
  }
  return place
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
