import { action, type Action } from '../http/action.ts'
import { checkVirtualInterface } from '../launch/network.ts'
import { virtualInterfaceFields } from '../launch/parameters.ts'
import { IbmError, notFound } from '../http/errors.ts'
import { kinds } from '../ids.ts'
import type { VirtualInterface } from '../instances/interfaces.ts'
import { listing } from '../http/listing.ts'
import {
  hrefOf,
  reference,
  reservedIpReference,
  resourceGroupReference,
  time,
  zoneReference,
  type Base,
} from '../http/write.ts'
import type { World } from '../world.ts'
import { vpcReference } from './networks.ts'

const path = '/v1/virtual_network_interfaces'

const read = listing<VirtualInterface>({
  names: ['list_virtual_network_interfaces', 'get_virtual_network_interface'],
  path,
  collection: 'virtual_network_interfaces',
  called: 'Virtual network interface',
  items: ({ interfaces }) => interfaces.all,
  filters: { 'resource_group.id': ({ resourceGroup }) => [resourceGroup.id] },
  // The newest comes first.
  place: ({ number }) => -number,
  idOf: ({ id }) => id,
  write: (one, { base }, { world }) => writeInterface(one, world, base),
})

function writeInterface(one: VirtualInterface, world: World, base: Base) {
  const { subnet, target } = one
  return {
    ...reference(kinds.virtualNetworkInterface, one, base),
    created_at: time(one.createdAt),
    lifecycle_state: 'stable',
    allow_ip_spoofing: one.allowSpoofing,
    auto_delete: one.autoDelete,
    enable_infrastructure_nat: true,
    protocol_state_filtering_mode: one.filtering,
    mac_address: one.mac,
    primary_ip: reservedIpReference(one, base),
    ips: [reservedIpReference(one, base)],
    security_groups: one.groups.map((group) => reference(kinds.securityGroup, group, base)),
    subnet: reference(kinds.subnet, subnet, base),
    vpc: vpcReference(subnet.vpc, world, base),
    zone: zoneReference(subnet.zone, base),
    resource_group: resourceGroupReference(one.resourceGroup),
    ...(target && {
      target: {
        href: `${hrefOf(kinds.instance, target.instance, base)}/network_attachments/${target.id}`,
        id: target.id,
        name: target.name,
        resource_type: 'instance_network_attachment',
      },
    }),
  }
}

const create = action({
  name: 'create_virtual_network_interface',
  method: 'POST',
  path,
  fields: virtualInterfaceFields,
  perform(values, { base }, account) {
    const { world, interfaces, clock } = account
    const [resourceGroup] = world.resourceGroups
    if (!resourceGroup) throw new Error('A simulated account needs a resource group')
    const planned = checkVirtualInterface(values, 'virtual_network_interface', { account, resourceGroup })
    return { status: 201, body: writeInterface(interfaces.make(planned, clock.now()), world, base) }
  },
})

const remove = action({
  name: 'delete_virtual_network_interfaces',
  method: 'DELETE',
  path: `${path}/{id}`,
  perform(_, { path: { id = '' }, base }, { interfaces, floatingIps, world }) {
    const found = interfaces.get(id)
    if (!found) throw notFound('Virtual network interface', id)
    if (found.target) {
      throw new IbmError('virtual_network_interface_in_use', `The virtual network interface ${id} has a target.`)
    }
    const body = { ...writeInterface(found, world, base), lifecycle_state: 'deleting' }
    interfaces.remove(found)
    floatingIps.admitted(id)
    return { status: 202, body }
  },
})

export const virtualNetworkInterfaceActions: readonly Action[] = [...read, create, remove]
