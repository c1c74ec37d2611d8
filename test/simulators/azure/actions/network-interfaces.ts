import type { Account } from '../account.ts'
import { accepted, callsOf, type Action, type ArmRequest, type Reply } from '../http/action.ts'
import { decode, networkWording } from '../http/decode.ts'
import { map, text } from '../../kit/http/schema.ts'
import { types } from '../ids.ts'
import { Kind } from '../kind.ts'
import { interfaceJson } from '../instances/network-json.ts'
import { putNetworkInterface } from '../network-interface/put.ts'
import { removeInterface } from '../instances/parts.ts'
import { checkTags } from '../instances/tags.ts'
import { versions } from '../http/versions.ts'
import { inUse, isHeldFrom, reservedFor } from '../launch/network.ts'

const kind = new Kind(types.networkInterface, ({ interfaces }) => interfaces.shelf)

function remove(request: ArmRequest, account: Account): Reply {
  const { interfaces, operations, lifecycle, clock } = account
  const found = interfaces.get(kind.idIn(request, account))
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
  const found = kind.seen(request, account)
  const live = account.interfaces.get(found.id)
  if (live && tags) {
    live.tags = checkTags(tags)
    account.interfaces.shelf.note(live, account.clock.now())
  }
  return { status: 200, body: interfaceJson(live ?? found) }
}

const reads = ['NetworkReads'] as const
const writes = ['NetworkWrites'] as const

const call = callsOf(versions.network)

export const networkInterfaceActions: readonly Action[] = [
  call.put('NetworkInterfaces_CreateOrUpdate', kind.one, writes, putNetworkInterface),
  call.patch('NetworkInterfaces_UpdateTags', kind.one, writes, updateTags),
  call.get('NetworkInterfaces_Get', kind.one, reads, (request, account) => ({
    status: 200,
    body: interfaceJson(kind.seen(request, account)),
  })),
  call.remove('NetworkInterfaces_Delete', kind.one, writes, remove),
  call.get('NetworkInterfaces_List', kind.inGroup, reads, kind.list('NetworkInterfaces_List', interfaceJson)),
  call.get(
    'NetworkInterfaces_ListAll',
    kind.inSubscription,
    reads,
    kind.list('NetworkInterfaces_ListAll', interfaceJson),
  ),
]
