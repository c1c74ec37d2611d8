import { ArmError } from './http/errors.ts'
import type { World } from './world.ts'

/** The resource group as it spells itself. */
export function groupCalled(name: string, { resourceGroups }: World): string {
  const found = resourceGroups.find((one) => one.toLowerCase() === name.toLowerCase())
  if (found !== undefined) return found
  throw new ArmError('ResourceGroupNotFound', `Resource group '${name}' could not be found.`)
}

export function resourceNotFound(type: string, name: string, group: string): ArmError {
  return new ArmError(
    'ResourceNotFound',
    `The Resource '${type}/${name}' under resource group '${group}' was not found. For more details please go to ` +
      'https://aka.ms/ARMResourceNotFoundFix',
  )
}

/** Whether a resource, by its id, is of this group. */
export function isInGroup(id: string, group: string): boolean {
  return id.toLowerCase().includes(`/resourcegroups/${group.toLowerCase()}/`)
}
