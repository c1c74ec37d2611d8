import type { Account } from '../account.ts'
import { accepted, checkPreconditions, given, type Action, type ArmRequest, type Reply } from '../action.ts'
import { decode, networkWording } from '../decode.ts'
import { ArmError } from '../errors.ts'
import { structure, word } from '../fields.ts'
import { each, integer, kept, list, map, output, text, unplayed, type Values } from '../../kit/schema.ts'
import { groupCalled, isInGroup, resourceNotFound } from '../groups.ts'
import { idOf, types } from '../ids.ts'
import { etagOf } from '../json.ts'
import { page } from '../listing.ts'
import { checkLocation } from '../location.ts'
import { publicAddressJson } from '../network-json.ts'
import type { PublicAddress } from '../public-addresses.ts'
import { checkTags } from '../tags.ts'
import { paths, versions } from '../versions.ts'

const inGroup = `${paths.group}/providers/Microsoft.Network/publicIPAddresses`
const one = `${inGroup}/{name}`
const reads = ['NetworkReads'] as const
const writes = ['NetworkWrites'] as const

const fields = {
  ...each(output, 'id name type etag'),
  location: text,
  tags: map(text),
  zones: list(text),
  sku: structure('PublicIPAddressSku', {
    name: word('PublicIPAddressSkuName', 'Standard', 'StandardV2', 'Basic'),
    tier: word('PublicIPAddressSkuTier', 'Regional', 'Global'),
  }),
  extendedLocation: unplayed,
  properties: structure('PublicIPAddressPropertiesFormat', {
    publicIPAllocationMethod: word('IPAllocationMethod', 'Static', 'Dynamic'),
    publicIPAddressVersion: word('IPVersion', 'IPv4'),
    idleTimeoutInMinutes: integer,
    deleteOption: word('DeleteOptions', 'Delete', 'Detach'),
    ...each(kept, 'dnsSettings ipTags ddosSettings'),
    publicIPPrefix: unplayed,
    natGateway: unplayed,
    ...each(output, 'provisioningState resourceGuid ipAddress ipConfiguration'),
  }),
} as const

function idIn(request: ArmRequest, { world }: Account): string {
  const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
  const name = given(request, 'name')
  return idOf({ subscription: world.subscription, resourceGroup, type: types.publicAddress, name })
}

type PublicAddressValues = Values<typeof fields>

function put(request: ArmRequest, account: Account): Reply {
  const { publicAddresses, operations, world, clock } = account
  const id = idIn(request, account)
  const values = decode('PublicIPAddress', fields, request.body, networkWording)
  checkLocation(values.location, types.publicAddress, world)
  const tags = checkTags(values.tags)
  const kind = checkKind(values, id)
  const existing = publicAddresses.get(id)
  checkPreconditions(request, existing && { etag: etagOf(existing) })
  const address = existing ?? make(request, { id, tags, zones: values.zones ?? [], ...kind }, account)
  address.tags = tags
  publicAddresses.shelf.note(address, clock.now())
  const operation = operations.begin('Microsoft.Network')
  operations.end(operation)
  const status = existing ? 200 : 201
  return accepted({ status, body: publicAddressJson(address, world), operation }, request, account)
}

function checkKind({ sku, properties }: PublicAddressValues, id: string): Pick<PublicAddress, 'sku' | 'method'> {
  const name = sku?.name ?? 'Standard'
  const method = properties?.publicIPAllocationMethod ?? (name === 'Basic' ? 'Dynamic' : 'Static')
  if (name === 'Basic' || method === 'Static') return { sku: name, method }
  throw new ArmError(
    'PublicIPAddressWithSkuMustBeStatic',
    `Standard sku publicIp ${id} must have AllocationMethod set to Static.`,
  )
}

function make(
  request: ArmRequest,
  wanted: Pick<PublicAddress, 'id' | 'tags' | 'zones' | 'sku' | 'method'>,
  { publicAddresses, world, clock }: Account,
): PublicAddress {
  const number = publicAddresses.shelf.nextNumber()
  const made: PublicAddress = {
    ...wanted,
    name: given(request, 'name'),
    resourceGroup: groupCalled(given(request, 'resourceGroup'), world),
    address: publicAddresses.newAddress(number),
    attachedTo: undefined,
    number,
    createdAt: clock.now(),
  }
  publicAddresses.shelf.add(made)
  return made
}

function remove(request: ArmRequest, account: Account): Reply {
  const { publicAddresses, operations, clock } = account
  const found = publicAddresses.get(idIn(request, account))
  if (!found) return { status: 204 }
  if (found.attachedTo !== undefined) {
    throw new ArmError(
      'PublicIPAddressCannotBeDeleted',
      `Public IP address ${found.id} can not be deleted since it is still allocated to resource ${found.attachedTo}. In ` +
        'order to delete the public IP, disassociate/detach the Public IP address from the resource.',
    )
  }
  publicAddresses.shelf.remove(found, clock.now())
  const operation = operations.begin('Microsoft.Network')
  operations.end(operation)
  return accepted({ status: 202, operation }, request, account)
}

export const publicAddressActions: readonly Action[] = [
  {
    name: 'PublicIPAddresses_CreateOrUpdate',
    method: 'PUT',
    path: one,
    versions: versions.network,
    buckets: writes,
    perform: put,
  },
  {
    name: 'PublicIPAddresses_Get',
    method: 'GET',
    path: one,
    versions: versions.network,
    buckets: reads,
    perform(request, account) {
      const found = account.sight.find(account.publicAddresses.shelf, idIn(request, account))
      if (found) return { status: 200, body: publicAddressJson(found, account.world) }
      throw resourceNotFound(types.publicAddress, given(request, 'name'), given(request, 'resourceGroup'))
    },
  },
  {
    name: 'PublicIPAddresses_Delete',
    method: 'DELETE',
    path: one,
    versions: versions.network,
    buckets: writes,
    perform: remove,
  },
  {
    name: 'PublicIPAddresses_List',
    method: 'GET',
    path: inGroup,
    versions: versions.network,
    buckets: reads,
    perform(request, account) {
      const group = groupCalled(given(request, 'resourceGroup'), account.world)
      const items = account.sight.look(account.publicAddresses.shelf).filter(({ id }) => isInGroup(id, group))
      const write = (item: (typeof items)[number]) => publicAddressJson(item, account.world)
      return page('PublicIPAddresses_List', items, write, { request, account })
    },
  },
  {
    name: 'PublicIPAddresses_ListAll',
    method: 'GET',
    path: `${paths.subscription}/providers/Microsoft.Network/publicIPAddresses`,
    versions: versions.network,
    buckets: reads,
    perform(request, account) {
      const items = account.sight.look(account.publicAddresses.shelf)
      const write = (item: (typeof items)[number]) => publicAddressJson(item, account.world)
      return page('PublicIPAddresses_ListAll', items, write, { request, account })
    },
  },
]
