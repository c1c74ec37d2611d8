import type { Account } from '../account.ts'
import { ArmError, badRequest, invalidParameter, invalidReference, notSimulated } from '../http/errors.ts'
import { idOf, sameId, types } from '../ids.ts'
import type { LaunchPlan } from '../instances/instance.ts'
import { instanceTypeCalled, type InstanceType } from '../supply/instance-types.ts'
import { checkLocation } from '../location.ts'
import { checkTags } from '../instances/tags.ts'
import type { World } from '../world.ts'
import { checkDisks } from './disks.ts'
import type { VirtualMachineValues } from './fields.ts'
import { checkImage } from './image.ts'
import { checkNetwork } from './network.ts'
import { checkOsProfile } from './os-profile.ts'
import { checkSpot } from './spot.ts'

export interface Named {
  readonly resourceGroup: string
  readonly name: string
}

/** All that Azure checks before it accepts a machine, capacity and quota apart, and what it then makes. */
export function plan(values: VirtualMachineValues, { resourceGroup, name }: Named, account: Account): LaunchPlan {
  const { world } = account
  const { properties } = values
  const location = checkLocation(values.location, types.virtualMachine, world)
  checkName(name)
  const tags = checkTags(values.tags)
  const vm = idOf({ subscription: world.subscription, resourceGroup, type: types.virtualMachine, name })
  const type = checkType(properties.hardwareProfile.vmSize, location)
  const zone = checkZones(values.zones, name, world)
  checkIdentity(values, vm, world)
  refuseReservation(values, vm)
  refuseEncryptionAtHost(values)
  checkSecurity(values)
  const image = checkImage(properties, type, world)
  const spot = checkSpot(properties, type, account)
  const { computerName, hasUserData } = checkOsProfile(properties, name, image)
  return {
    resourceGroup,
    name,
    tags,
    location,
    zone,
    type,
    image,
    spot,
    interfaces: checkNetwork(properties, { vm, type }, account),
    ...checkDisks(properties, { resourceGroup, vm: name, type, image }, account),
    computerName,
    hasUserData,
    given: values,
  }
}

function checkName(name: string): void {
  if (name.length <= 64 && /^[a-z0-9]([a-z0-9._-]*[a-z0-9_])?$/i.test(name)) return
  throw new ArmError(
    'InvalidParameter',
    `The entity name '${name}' is invalid according to its validation rule: ^[^_\\W][\\w-._]{0,79}(?<![-.])$.`,
    { target: 'name' },
  )
}

function checkType(name: string, location: string): InstanceType {
  const type = instanceTypeCalled(name)
  if (type) return type
  throw invalidParameter(
    `The value ${name} provided for the VM size is not valid. The valid sizes in the current region are those of ` +
      `resourceSkus in ${location}. Find out more on the valid VM sizes in each region at https://aka.ms/azure-regions.`,
    'vmSize',
  )
}

function checkZones(zones: readonly string[] | undefined, name: string, world: World): string | undefined {
  if (zones === undefined || zones.length === 0) return undefined
  const wrong = zones.filter((zone) => !world.zones.includes(zone))
  if (wrong.length > 0) {
    throw new ArmError(
      'InvalidAvailabilityZone',
      `The zone(s) '${wrong.join(',')}' for resource 'Microsoft.Compute/virtualMachines/${name}' is not supported. The ` +
        `supported zones for location '${world.location}' are '${world.zones.join(',')}'`,
    )
  }
  if (zones.length > 1) throw badRequest('A Virtual Machine cannot be in more than one zone.', 'zones')
  return zones[0]
}

function checkIdentity({ identity }: VirtualMachineValues, vm: string, { identities }: World): void {
  if (!identity) return
  const users = Object.keys(identity.userAssignedIdentities ?? {})
  const wantsUsers = identity.type?.includes('UserAssigned') === true
  if (wantsUsers !== users.length > 0) {
    throw new ArmError(
      'InvalidIdentityValues',
      'Invalid value for the identities. The property userAssignedIdentities and the type of identity do not fit.',
    )
  }
  const unknown = users.find((id) => !identities.some((one) => sameId(one, id)))
  if (unknown !== undefined) throw invalidReference(unknown, vm)
}

/** A feature that a subscription has only when somebody has registered it, and nobody has here. */
function refuseEncryptionAtHost({ properties }: VirtualMachineValues): void {
  if (properties.securityProfile?.encryptionAtHost !== true) return
  throw invalidParameter(
    "The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' " +
      'feature is not enabled for this subscription.',
    'securityProfile.encryptionAtHost',
  )
}

/** What starts before the guest can be set only of machines that are secured as a whole. */
function checkSecurity({ properties: { securityProfile } }: VirtualMachineValues): void {
  if (!securityProfile?.uefiSettings || securityProfile.securityType !== undefined) return
  throw badRequest(
    "Use of UEFI settings is not supported: 'securityProfile.securityType' has to be set to enable them.",
    'securityProfile.uefiSettings',
  )
}

/** There are no reservations here: one that is named is one that does not exist. */
function refuseReservation({ properties }: VirtualMachineValues, vm: string): void {
  if (properties.availabilitySet && (properties.priority ?? 'Regular') === 'Regular') {
    throw notSimulated('availability sets')
  }
  const group = properties.capacityReservation?.capacityReservationGroup
  if (group && (properties.priority ?? 'Regular') === 'Regular') throw invalidReference(group.id, vm)
}
