import { given, callsOf, type Action } from '../http/action.ts'
import { groupCalled } from '../groups.ts'
import { page } from '../http/listing.ts'
import { paths, versions } from '../http/versions.ts'
import type { World } from '../world.ts'

function groupJson(name: string, { subscription, location }: World): object {
  return {
    id: `/subscriptions/${subscription}/resourceGroups/${name}`,
    name,
    type: 'Microsoft.Resources/resourceGroups',
    location,
    properties: { provisioningState: 'Succeeded' },
  }
}

const call = callsOf(versions.resources)

export const resourceGroupActions: readonly Action[] = [
  call.get('ResourceGroups_Get', paths.group, [], (request, { world }) => ({
    status: 200,
    body: groupJson(groupCalled(given(request, 'resourceGroup'), world), world),
  })),
  call.head('ResourceGroups_CheckExistence', paths.group, [], (request, { world }) => {
    const name = given(request, 'resourceGroup').toLowerCase()
    return { status: world.resourceGroups.some((one) => one.toLowerCase() === name) ? 204 : 404 }
  }),
  call.get('ResourceGroups_List', `${paths.subscription}/resourceGroups`, [], (request, account) => {
    const { world } = account
    const items = world.resourceGroups.map((name, at) => ({ name, number: at + 1 }))
    return page('ResourceGroups_List', items, ({ name }) => groupJson(name, world), { request, account })
  }),
]
