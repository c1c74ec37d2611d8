import type { Account } from '../account.ts'
import {
  accepted,
  callsOf,
  checkPreconditions,
  given,
  type Action,
  type ArmRequest,
  type Reply,
} from '../http/action.ts'
import { decode, networkWording } from '../http/decode.ts'
import { ArmError } from '../http/errors.ts'
import { structure, word } from '../http/fields.ts'
import { each, integer, kept, list, map, output, text, unplayed, type Values } from '../../kit/http/schema.ts'
import { groupCalled } from '../groups.ts'
import { types } from '../ids.ts'
import { etagOf } from '../http/json.ts'
import { Kind } from '../kind.ts'
import { checkLocation } from '../location.ts'
import { publicAddressJson } from '../instances/network-json.ts'
import type { PublicAddress } from '../instances/public-addresses.ts'
import { checkTags } from '../instances/tags.ts'
import { versions } from '../http/versions.ts'

const kind = new Kind(types.publicAddress, ({ publicAddresses }) => publicAddresses.shelf)
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

type PublicAddressValues = Values<typeof fields>

function put(request: ArmRequest, account: Account): Reply {
  const { publicAddresses, operations, world, clock } = account
  const id = kind.idIn(request, account)
  const values = decode('PublicIPAddress', fields, request.body, networkWording)
  checkLocation(values.location, types.publicAddress, world)
  const tags = checkTags(values.tags)
  const terms = checkTerms(values, id)
  const existing = publicAddresses.get(id)
  checkPreconditions(request, existing && { etag: etagOf(existing) })
  const address = existing ?? make(request, { id, tags, zones: values.zones ?? [], ...terms }, account)
  address.tags = tags
  publicAddresses.shelf.note(address, clock.now())
  const operation = operations.begin('Microsoft.Network')
  operations.end(operation)
  const status = existing ? 200 : 201
  return accepted({ status, body: publicAddressJson(address, world), operation }, request, account)
}

function checkTerms({ sku, properties }: PublicAddressValues, id: string): Pick<PublicAddress, 'sku' | 'method'> {
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
  const found = publicAddresses.get(kind.idIn(request, account))
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

const call = callsOf(versions.network)

const write = (address: PublicAddress, { world }: Account) => publicAddressJson(address, world)

export const publicAddressActions: readonly Action[] = [
  call.put('PublicIPAddresses_CreateOrUpdate', kind.one, writes, put),
  call.get('PublicIPAddresses_Get', kind.one, reads, (request, account) => ({
    status: 200,
    body: write(kind.seen(request, account), account),
  })),
  call.remove('PublicIPAddresses_Delete', kind.one, writes, remove),
  call.get('PublicIPAddresses_List', kind.inGroup, reads, kind.list('PublicIPAddresses_List', write)),
  call.get('PublicIPAddresses_ListAll', kind.inSubscription, reads, kind.list('PublicIPAddresses_ListAll', write)),
]
