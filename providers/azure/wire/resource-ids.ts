import { CloudError } from '../../../api/cloud-error.ts'
import { shortened } from '../../errors.ts'
import { markIn } from '../../shared/instance-name.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import type { Scope } from '../../../api/scope.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { pathOf } from '../../wire/path.ts'

/** Where something is, by its name: the ways to write it. Azure does not mind the case of a resource group. */
export interface Place {
  readonly scope: Scope
  readonly group: string
  /** Of the machine; all that belongs to it is named after it. */
  readonly name: string
}

export function machinePath(place: Place): string {
  return `${groupPath(place)}/${pathOf(['providers', 'Microsoft.Compute', 'virtualMachines', place.name])}`
}

export function interfacePath(place: Place): string {
  const name = `${place.name}${interfaceSuffix}`
  return `${groupPath(place)}/${pathOf(['providers', 'Microsoft.Network', 'networkInterfaces', name])}`
}

export function diskPath(place: Place, disk: string): string {
  return `${disksPath(place)}/${pathOf([disk])}`
}

export function disksPath(place: Omit<Place, 'name'>): string {
  return `${groupPath(place)}/providers/Microsoft.Compute/disks`
}

export function subscriptionPath({ account = '' }: Scope, rest: string): string {
  return `/${pathOf(['subscriptions', account, 'providers', ...rest.split('/')])}`
}

export function groupPath({ scope: { account = '' }, group }: Pick<Place, 'scope' | 'group'>): string {
  return `/${pathOf(['subscriptions', account, 'resourceGroups', group])}`
}

const interfaceSuffix = '-nic'
/** No name of ours has one, so what comes before it is the machine's. */
const diskSeparator = '_'

export function osDiskName(machine: string): string {
  return `${machine}${diskSeparator}OSDisk`
}

export function dataDiskName(machine: string, suffix: string): string {
  return `${machine}${diskSeparator}${suffix}`
}

/** The group and the last part of a resource's id. Lists of a whole subscription spell the group as they like. */
export function readId(id: string): { group: string; name: string } {
  const [, group = '', name = ''] = /\/resourceGroups\/([^/]+)\/.*\/([^/]+)$/i.exec(id) ?? []
  return { group: group.toLowerCase(), name: name.toLowerCase() }
}

/**
 * What stands for a machine's id, as Azure's own (vmId) is missing where states are listed. It is never used again
 * either: every attempt has a name of its own.
 */
export function idOf({ group, name }: { group: string; name: string }): string {
  return `${group.toLowerCase()}/${name.toLowerCase()}`
}

/** An id may come from an annotation. Throws 'invalid' for what is none: no look and no end can follow from it. */
export function placeIn(id: string): { group: string; name: string } {
  const [group, name, ...more] = id.split('/')
  if (group && name && more.length === 0) return { group, name }
  const message = `${JSON.stringify(shortened(id))} is not the id of an Azure machine: a resource group and a name.`
  throw new CloudError('invalid', { code: 'InvalidId', message })
}

/** The machine that a network interface or a disk was made for, by its name; undefined: for none of ours. */
export function machineOfInterface(name: string): string | undefined {
  const machine = name.endsWith(interfaceSuffix) ? name.slice(0, -interfaceSuffix.length) : ''
  return markIn(machine) && machine
}

export function machineOfDisk(name: string): string | undefined {
  const [machine = ''] = name.split(diskSeparator)
  return machine !== name && markIn(machine) ? machine : undefined
}

/** Whether the name says that it is this attempt's, and nobody else's. */
export function carries(name: string, ours: OwnershipTag): boolean {
  return isOwnedBy({ tag: markIn(name) }, ours)
}
