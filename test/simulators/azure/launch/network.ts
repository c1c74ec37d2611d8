import type { Account } from '../account.ts'
import { ArmError, badRequest, invalidParameter, invalidReference } from '../http/errors.ts'
import { nameIn, sameId, typeIn, types } from '../ids.ts'
import type { InterfaceUse } from '../instances/instance.ts'
import type { InstanceType } from '../supply/instance-types.ts'
import type { Interface } from '../instances/interfaces.ts'
import type { VirtualMachineProperties } from './fields.ts'

/** The interfaces of a machine: made before it, and nobody else's. */
export function checkNetwork(
  { networkProfile }: VirtualMachineProperties,
  { vm, type }: { vm: string; type: InstanceType },
  account: Account,
): readonly InterfaceUse[] {
  const given = networkProfile.networkInterfaces ?? []
  if (given.length === 0)
    throw invalidParameter("Required parameter 'networkInterfaces' is missing (null).", 'networkInterfaces')
  if (given.length > type.interfaces) {
    throw badRequest(
      `The number of network interfaces for virtual machine ${nameIn(vm)} exceeds the maximum allowed for the virtual ` +
        `machine size ${type.name}. The number of network interfaces is ${given.length} and the maximum allowed is ` +
        `${type.interfaces}.`,
    )
  }
  const ids = given.map(({ id }) => id.toLowerCase())
  if (new Set(ids).size < ids.length) {
    throw badRequest('A network interface is referred to more than once.', 'networkInterfaces')
  }
  const primaries = given.filter(({ properties }) => properties?.primary === true)
  if (given.length > 1 && primaries.length !== 1) {
    throw new ArmError(
      'VirtualMachineMustHaveOneNetworkInterfaceAsPrimary',
      `Virtual machine ${nameIn(vm)} must have one network interface set as the primary.`,
    )
  }
  return given.map(({ id, properties }) => {
    checkInterface(id, { vm, type }, account)
    return {
      id,
      isPrimary: given.length === 1 || properties?.primary === true,
      deleteOption: properties?.deleteOption ?? 'Detach',
    }
  })
}

function checkInterface(
  id: string,
  { vm, type }: { vm: string; type: InstanceType },
  { interfaces, clock, world }: Account,
): void {
  if (typeIn(id)?.toLowerCase() !== types.networkInterface.toLowerCase()) {
    throw new ArmError(
      'LinkedInvalidPropertyId',
      `Property id '${id}' at path 'properties.networkProfile.networkInterfaces' is invalid. Expect fully qualified ` +
        "resource Id that start with '/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/'.",
    )
  }
  const one = interfaces.get(id)
  if (!one || one.isDeleting || !id.toLowerCase().startsWith(`/subscriptions/${world.subscription}/`)) {
    throw invalidReference(id, vm)
  }
  if (one.attachedTo !== undefined && !sameId(one.attachedTo, vm)) throw inUse(one)
  if (isHeldFrom(one, vm, clock.now())) throw reservedFor(one.hold?.vm ?? '')
  checkSpeed(one, type)
}

function checkSpeed({ given: { properties } }: Interface, type: InstanceType): void {
  if (properties.enableAcceleratedNetworking !== true || type.hasAcceleratedNetworking) return
  throw new ArmError(
    'VMSizeIsNotPermittedToEnableAcceleratedNetworking',
    `The VM size ${type.name} is not permitted to enable AcceleratedNetworking on its network interfaces.`,
  )
}

/** Whether it is kept for another machine. */
export function isHeldFrom({ hold }: Interface, vm: string | undefined, now: number): boolean {
  if (!hold || hold.until <= now) return false
  return vm === undefined || !sameId(hold.vm, vm)
}

export function reservedFor(vm: string): ArmError {
  return new ArmError(
    'NicReservedForAnotherVm',
    'Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry ' +
      `after 180 seconds. Reserved VM: ${vm}`,
  )
}

export function inUse({ id, attachedTo }: Interface): ArmError {
  return new ArmError(
    'NicInUse',
    `Network Interface ${id} is used by existing resource ${attachedTo}. In order to delete the network interface, it ` +
      'must be dissociated from the resource. To learn more, see aka.ms/deletenic.',
  )
}
