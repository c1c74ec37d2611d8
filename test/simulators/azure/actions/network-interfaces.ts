import type { Account } from '../account.ts'
import { accepted, given, type Action, type ArmRequest, type Reply } from '../action.ts'
import { decode, networkWording } from '../decode.ts'
import { map, text } from '../../kit/schema.ts'
import { groupCalled, isInGroup, resourceNotFound } from '../groups.ts'
import { idOf, types } from '../ids.ts'
import type { Interface } from '../interfaces.ts'
import { page } from '../listing.ts'
import { interfaceJson } from '../network-json.ts'
import { putNetworkInterface } from '../network-interface/put.ts'
import { removeInterface } from '../parts.ts'
import { checkTags } from '../tags.ts'
import { paths, versions } from '../versions.ts'
import { inUse, isHeldFrom, reservedFor } from '../virtual-machine/network.ts'

const inGroup = `${paths.group}/providers/Microsoft.Network/networkInterfaces`
const one = `${inGroup}/{name}`

function idIn(request: ArmRequest, { world }: Account): string {
  const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
  const name = given(request, 'name')
  return idOf({ subscription: world.subscription, resourceGroup, type: types.networkInterface, name })
}

function get(request: ArmRequest, account: Account): Interface {
  const found = account.sight.find(account.interfaces.shelf, idIn(request, account))
  if (found) return found
  throw resourceNotFound(types.networkInterface, given(request, 'name'), given(request, 'resourceGroup'))
}

function remove(request: ArmRequest, account: Account): Reply {
  const { interfaces, operations, lifecycle, clock } = account
  const found = interfaces.get(idIn(request, account))
  if (!found) return { status: 204 }
  if (found.attachedTo !== undefined) throw inUse(found)
  if (found.hold && isHeldFrom(found, undefined, clock.now())) throw reservedFor(found.hold.vm)
  const operation = operations.begin('Microsoft.Network')
  found.isDeleting = true
  interfaces.shelf.note(found, clock.now())
  lifecycle.afterwards(() => {
    removeInterface(found.id, account)
    operations.end(operation)
  })
  return accepted({ status: 202, operation }, request, account)
}

function updateTags(request: ArmRequest, account: Account): Reply {
  const { tags } = decode('TagsObject', { tags: map(text) }, request.body, networkWording)
  const found = get(request, account)
  const live = account.interfaces.get(found.id)
  if (live && tags) {
    live.tags = checkTags(tags)
    account.interfaces.shelf.note(live, account.clock.now())
  }
  return { status: 200, body: interfaceJson(live ?? found) }
}

function list(name: string, request: ArmRequest, account: Account, isListed: (one: Interface) => boolean): Reply {
  const items = account.sight.look(account.interfaces.shelf).filter(isListed)
  return page(name, items, interfaceJson, { request, account })
}

const reads = ['NetworkReads'] as const
const writes = ['NetworkWrites'] as const

export const networkInterfaceActions: readonly Action[] = [
  {
    name: 'NetworkInterfaces_CreateOrUpdate',
    method: 'PUT',
    path: one,
    versions: versions.network,
    buckets: writes,
    perform: putNetworkInterface,
  },
  {
    name: 'NetworkInterfaces_UpdateTags',
    method: 'PATCH',
    path: one,
    versions: versions.network,
    buckets: writes,
    perform: updateTags,
  },
  {
    name: 'NetworkInterfaces_Get',
    method: 'GET',
    path: one,
    versions: versions.network,
    buckets: reads,
    perform: (request, account) => ({ status: 200, body: interfaceJson(get(request, account)) }),
  },
  {
    name: 'NetworkInterfaces_Delete',
    method: 'DELETE',
    path: one,
    versions: versions.network,
    buckets: writes,
    perform: remove,
  },
  {
    name: 'NetworkInterfaces_List',
    method: 'GET',
    path: inGroup,
    versions: versions.network,
    buckets: reads,
    perform(request, account) {
      const group = groupCalled(given(request, 'resourceGroup'), account.world)
      return list('NetworkInterfaces_List', request, account, ({ id }) => isInGroup(id, group))
    },
  },
  {
    name: 'NetworkInterfaces_ListAll',
    method: 'GET',
    path: `${paths.subscription}/providers/Microsoft.Network/networkInterfaces`,
    versions: versions.network,
    buckets: reads,
    perform: (request, account) => list('NetworkInterfaces_ListAll', request, account, () => true),
  },
]
