import { Routes, type Places } from '../../kit/http/routes.ts'
import type { Action } from './action.ts'
import { catalogueActions } from '../actions/catalogue.ts'
import { diskActions } from '../actions/disks.ts'
import { imageActions } from '../actions/images.ts'
import { instanceActions } from '../actions/instances.ts'
import { networkActions } from '../actions/networks.ts'
import { operationActions } from '../actions/operations.ts'
import { placeActions } from '../actions/places.ts'
import { reservationActions } from '../actions/reservations.ts'
import { insert } from '../launch/action.ts'

const routes = new Routes<Action>([
  insert,
  ...instanceActions,
  ...operationActions,
  ...catalogueActions,
  ...diskActions,
  ...imageActions,
  ...networkActions,
  ...placeActions,
  ...reservationActions,
])

const root = '/compute/v1/'

export interface Route {
  readonly action: Action
  readonly parameters: Places
}

/** Which call this is, and what stands in its path. */
export function routeOf(method: string, path: string): Route | undefined {
  const match = isCompute(path) ? routes.match(method, path.slice(root.length)) : 'nowhere'
  return typeof match === 'object' ? { action: match.action, parameters: match.place } : undefined
}

export function isCompute(path: string): boolean {
  return path.startsWith(root)
}
