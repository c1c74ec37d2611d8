import { GceError, invalidValue } from './http/errors.ts'
import { parameterOf } from './http/action.ts'
import type { World, Zone } from './world.ts'

type Parameters = Readonly<Record<string, string>>

/** Refuses what is not this project's. */
export function checkProject(project: string, world: World, permission: string): void {
  if (project === world.project || project === world.projectNumber) return
  throw new GceError('forbidden', `Required '${permission}' permission for 'projects/${project}'`)
}

export function zoneOf(parameters: Parameters, world: World): Zone {
  const name = parameterOf(parameters, 'zone')
  const zone = world.zones.find((one) => one.name === name)
  if (zone) return zone
  throw invalidValue('zone', name, 'Unknown zone.')
}

export function regionOf(parameters: Parameters, { regions }: World): string {
  const name = parameterOf(parameters, 'region')
  if (regions.includes(name)) return name
  throw invalidValue('region', name, 'Unknown region.')
}

const idOrName = '[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?|[1-9][0-9]{0,19}'
const form = new RegExp(`^(?:${idOrName})$`)

/** A name or a numeric id in a path, such as of an instance. */
export function nameOf(parameters: Parameters, parameter: string): string {
  const name = parameterOf(parameters, parameter)
  if (form.test(name)) return name
  throw invalidValue(parameter, name, `Must be a match of regex '${idOrName}'`)
}
