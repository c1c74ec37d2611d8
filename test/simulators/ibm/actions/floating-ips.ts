import { action, type Action } from '../http/action.ts'
import type { Account } from '../account.ts'
import { checkName, checkResourceGroup, nameTaken } from '../launch/network.ts'
import { notOneOf } from '../http/decode.ts'
import { badField, IbmError, notFound } from '../http/errors.ts'
import { byId, byName, byReference, findOne, kinds } from '../ids.ts'
import { text, type Identity } from '../../kit/http/schema.ts'
import type { FloatingIp, FloatingIpTarget } from '../instances/floating-ips.ts'

import { listing } from '../http/listing.ts'
import { reference, resourceGroupReference, time, zoneReference, type Base } from '../http/write.ts'
import type { Zone } from '../world.ts'

const path = '/v1/floating_ips'

const read = listing<FloatingIp>({
  names: ['list_floating_ips', 'get_floating_ip'],
  path,
  collection: 'floating_ips',
  called: 'Floating IP',
  items: ({ floatingIps }) => floatingIps.all,
  filters: {
    'resource_group.id': ({ resourceGroup }) => [resourceGroup.id],
    'target.id': ({ target }) => [target?.interface.id],
    'target.name': ({ target }) => [target?.interface.name],
    'target.resource_type': ({ target }) => [target?.kind],
  },
  place: ({ number }) => number,
  idOf: ({ id }) => id,
  write: (one, { base }) => writeFloatingIp(one, base),
})

function writeFloatingIp(one: FloatingIp, base: Base) {
  const { target } = one
  return {
    ...reference(kinds.floatingIp, one, base),
    address: one.address,
    created_at: time(one.createdAt),
    status: 'available',
    zone: zoneReference(one.zone, base),
    resource_group: resourceGroupReference(one.resourceGroup),
    ...(target && {
      target: { ...reference(kinds.virtualNetworkInterface, target.interface, base), resource_type: target.kind },
    }),
  }
}

const create = action({
  name: 'create_floating_ip',
  method: 'POST',
  path,
  fields: { name: text, zone: byName, target: byReference, resource_group: byId },
  perform({ name, zone, target: wanted, resource_group: group }, { base }, account) {
    const { floatingIps, world, clock } = account
    checkName(name, 'name')
    if (name !== undefined && floatingIps.hasName(name)) throw nameTaken(name)
    const [usual] = world.resourceGroups
    const resourceGroup = checkResourceGroup(group, account, 'resource_group') ?? usual
    if (!resourceGroup) throw new Error('A simulated account needs a resource group')
    const place = placeOf({ zone, target: wanted }, account)
    return {
      status: 201,
      body: writeFloatingIp(floatingIps.make({ name, resourceGroup, ...place }, clock.now()), base),
    }
  },
})

interface Wanted {
  readonly zone: Identity | undefined
  readonly target: Identity | undefined
}

function placeOf({ zone, target }: Wanted, account: Account): { zone: Zone; target: FloatingIpTarget | undefined } {
  const { world, floatingIps } = account
  if (target && !zone) {
    const found = targetOf(target, account)
    if (floatingIps.all.some((one) => one.target?.interface.id === found.interface.id)) {
      throw new IbmError('target_in_use', 'The target already has floating IP attached.')
    }
    return { zone: found.interface.subnet.zone, target: found }
  }
  if (!zone || target) throw notOneOf('', target ? 2 : 0)
  const kind = { path: `regions/${world.region}/zones`, type: 'zone' }
  return { zone: findOne(zone, { kind, items: world.zones, place: world, field: 'zone' }), target: undefined }
}

function targetOf({ by, value }: Identity, { interfaces, instances }: Account): FloatingIpTarget {
  const id = by === 'id' ? value : value.split(/[/:]/).at(-1)
  const virtual = interfaces.all.find((one) => one.id === id)
  if (virtual) return { kind: 'virtual_network_interface', interface: virtual }
  const own = instances
    .visible()
    .flatMap((instance) => instance.interfaces)
    .find((one) => one.id === id && !one.virtual)
  if (own) return { kind: 'network_interface', interface: own }
  throw badField('target', `The target '${value}' could not be found`, value)
}

const remove = action({
  name: 'delete_floating_ip',
  method: 'DELETE',
  path: `${path}/{id}`,
  perform(_, { path: { id = '' } }, { floatingIps }) {
    const found = floatingIps.get(id)
    if (!found) throw notFound('Floating IP', id)
    floatingIps.remove(found)
    return { status: 204 }
  },
})

export const floatingIpActions: readonly Action[] = [...read, create, remove]
