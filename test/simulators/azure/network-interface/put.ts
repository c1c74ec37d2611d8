import type { Account } from '../account.ts'
import { accepted, given, type ArmRequest, type Reply } from '../http/action.ts'
import { decode, networkWording } from '../http/decode.ts'
import { ArmError } from '../http/errors.ts'
import { groupCalled } from '../groups.ts'
import { idOf, types } from '../ids.ts'
import type { Interface } from '../instances/interfaces.ts'
import { checkLocation } from '../location.ts'
import { interfaceJson } from '../instances/network-json.ts'
import { checkTags, type Tags } from '../instances/tags.ts'
import { networkInterfaceFields, type NetworkInterfaceValues } from './fields.ts'
import { planAddresses } from './plan.ts'

/** Makes an interface, or gives the one of this name other settings. */
export function putNetworkInterface(request: ArmRequest, account: Account): Reply {
  const { interfaces, operations, world } = account
  const name = given(request, 'name')
  const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
  const id = idOf({ subscription: world.subscription, resourceGroup, type: types.networkInterface, name })
  const values = decode('NetworkInterface', networkInterfaceFields, request.body, networkWording)
  checkLocation(values.location, types.networkInterface, world)
  checkName(name)
  const tags = checkTags(values.tags)
  const existing = interfaces.get(id)
  if (existing?.isDeleting) {
    throw new ArmError(
      'AnotherOperationInProgress',
      `Another operation on this or dependent resource is in progress: ${id}.`,
      {
        status: 429,
      },
    )
  }
  const one = existing
    ? change(existing, { values, tags }, account)
    : make({ id, name, resourceGroup }, { values, tags }, account)
  linkPublicAddresses(one, account)
  const operation = operations.begin('Microsoft.Network')
  operations.end(operation)
  return accepted({ status: existing ? 200 : 201, body: interfaceJson(one), operation }, request, account)
}

interface Wanted {
  readonly values: NetworkInterfaceValues
  readonly tags: Tags
}

function make(
  named: { id: string; name: string; resourceGroup: string },
  { values, tags }: Wanted,
  account: Account,
): Interface {
  const { interfaces, clock } = account
  const one: Interface = {
    ...named,
    mac: interfaces.newMac(),
    addresses: interfaces.assign(planAddresses(values, { id: named.id, existing: undefined }, account)),
    given: values,
    tags,
    attachedTo: undefined,
    isPrimary: false,
    hold: undefined,
    isDeleting: false,
    number: interfaces.shelf.nextNumber(),
    createdAt: clock.now(),
  }
  interfaces.shelf.add(one)
  return one
}

function change(existing: Interface, { values, tags }: Wanted, account: Account): Interface {
  const { interfaces, publicAddresses, clock } = account
  const addresses = planAddresses(values, { id: existing.id, existing }, account)
  for (const { publicAddress } of existing.addresses) {
    const before = publicAddress && publicAddresses.get(publicAddress.id)
    if (before) publicAddresses.attach(before, undefined, clock.now())
  }
  existing.addresses = interfaces.assign(addresses, existing.addresses)
  existing.given = values
  existing.tags = tags
  interfaces.shelf.note(existing, clock.now())
  return existing
}

function linkPublicAddresses({ id, addresses }: Interface, { publicAddresses, clock }: Account): void {
  for (const { name, publicAddress } of addresses) {
    const found = publicAddress && publicAddresses.get(publicAddress.id)
    if (found) publicAddresses.attach(found, `${id}/ipConfigurations/${name}`, clock.now())
  }
}

function checkName(name: string): void {
  if (name.length <= 80 && /^[a-z0-9]([a-z0-9._-]*[a-z0-9_])?$/i.test(name)) return
  throw new ArmError(
    'InvalidResourceName',
    `Resource name ${name} is invalid. The name can be up to 80 characters long. It must begin with a word character, and ` +
      "it must end with a word character or with '_'. The name may contain word characters or '.', '-', '_'.",
  )
}
