import { ArmError } from './http/errors.ts'
import type { World } from './world.ts'

/** `West US 2` is another way to write `westus2`. */
export function normal(location: string): string {
  return location.toLowerCase().replaceAll(' ', '')
}

/** Where a resource is to be; only one region is simulated. */
export function checkLocation(location: string | undefined, type: string, world: World): string {
  if (location === undefined) {
    throw new ArmError('LocationRequired', 'The location property is required for this definition.')
  }
  if (normal(location) === world.location) return world.location
  throw new ArmError(
    'LocationNotAvailableForResourceType',
    `The provided location '${location}' is not available for resource type '${type}'. List of available regions for ` +
      `the resource type is '${world.location}'.`,
  )
}
