import type { Action } from './action.ts'
import { catalogueActions } from './actions/catalogue.ts'
import { diskActions } from './actions/disks.ts'
import { imageActions } from './actions/images.ts'
import { instanceActions } from './actions/instances.ts'
import { networkActions } from './actions/networks.ts'
import { operationActions } from './actions/operations.ts'
import { placeActions } from './actions/places.ts'
import { reservationActions } from './actions/reservations.ts'
import { insert } from './insert/action.ts'
import { partsOf } from './references.ts'

const actions: readonly Action[] = [
  insert,
  ...instanceActions,
  ...operationActions,
  ...catalogueActions,
  ...diskActions,
  ...imageActions,
  ...networkActions,
  ...placeActions,
  ...reservationActions,
]

const root = '/compute/v1/'

export interface Route {
  readonly action: Action
  readonly parameters: Readonly<Record<string, string>>
}

/** Which call this is, and what stands in its path. */
export function routeOf(method: string, path: string): Route | undefined {
  if (!path.startsWith(root)) return undefined
  const rest = path.slice(root.length)
  for (const action of actions) {
    if (action.method !== method) continue
    const parameters = partsOf(rest, action.path)
    if (parameters) return { action, parameters: decoded(parameters) }
  }
  return undefined
}

export function isCompute(path: string): boolean {
  return path.startsWith(root)
}

function decoded(parameters: Route['parameters']): Route['parameters'] {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}
