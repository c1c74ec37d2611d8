import { CloudError } from '../../../api/cloud-error.ts'
import { shortened } from '../../errors.ts'
import { tagIn } from '../../shared/instance-name.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import type { Scope } from '../../../api/scope.ts'
import type { InstanceRef } from '../../instances.ts'
import { notOurs } from '../../shared/ownership.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { pathOf } from '../../wire/path.ts'

/** Where a virtual machine is. Azure does not mind the case of a resource group. */
export interface VmAddress {
  readonly scope: Scope
  readonly group: string
  /** All that belongs to the machine is named after it. */
  readonly name: string
}

export function machinePath(vm: VmAddress): string {
  return `${groupPath(vm)}/${pathOf(['providers', 'Microsoft.Compute', 'virtualMachines', vm.name])}`
}

export function interfacePath(vm: VmAddress): string {
  const name = `${vm.name}${interfaceSuffix}`
  return `${groupPath(vm)}/${pathOf(['providers', 'Microsoft.Network', 'networkInterfaces', name])}`
}

export function diskPath(vm: VmAddress, disk: string): string {
  return `${disksPath(vm)}/${pathOf([disk])}`
}

export function disksPath(vm: Omit<VmAddress, 'name'>): string {
  return `${groupPath(vm)}/providers/Microsoft.Compute/disks`
}

export function subscriptionPath({ account = '' }: Scope, rest: string): string {
  return `/${pathOf(['subscriptions', account, 'providers', ...rest.split('/')])}`
}

export function groupPath({ scope: { account = '' }, group }: Pick<VmAddress, 'scope' | 'group'>): string {
  return `/${pathOf(['subscriptions', account, 'resourceGroups', group])}`
}

const interfaceSuffix = '-nic'
/** No name of ours contains it, so the text before it is the machine's name. */
const diskSeparator = '_'

export function osDiskName(machine: string): string {
  return `${machine}${diskSeparator}OSDisk`
}

export function dataDiskName(machine: string, suffix: string): string {
  return `${machine}${diskSeparator}${suffix}`
}

/** The group and the last part of a resource's id. Lists of a whole subscription vary the spelling of the group. */
export function readId(id: string): { group: string; name: string } {
  const [, group = '', name = ''] = /\/resourceGroups\/([^/]+)\/.*\/([^/]+)$/i.exec(id) ?? []
  return { group: group.toLowerCase(), name: name.toLowerCase() }
}

/**
 * Our id of a machine. Azure's own (vmId) is missing in the list that tells the power. Ours is never used again either:
 * every attempt has its own name.
 */
export function idOf({ group, name }: { group: string; name: string }): string {
  return `${group.toLowerCase()}/${name.toLowerCase()}`
}

/** An id may come from an annotation. Throws 'invalid' for texts that are none. */
export function partsOfId(id: string): { group: string; name: string } {
  const [group, name, ...more] = id.split('/')
  if (group && name && more.length === 0) return { group, name }
  const message = `${JSON.stringify(shortened(id))} is not the id of an Azure machine: a resource group and a name.`
  throw new CloudError('invalid', { code: 'InvalidId', message })
}

/** Of its name and its id, which must not contradict. Undefined: it never had a name, so there never was a machine. */
export function vmAddressOf({ scope, id, name }: Omit<InstanceRef, 'tag'>): VmAddress | undefined {
  if (id === undefined) return name === undefined ? undefined : { scope, group: scope.within ?? '', name }
  const { group, name: own } = partsOfId(id)
  const machine = machineOfInterface(own) ?? machineOfDisk(own) ?? own
  if (name !== undefined && name !== machine) throw notOurs(`Virtual machine ${machine}`)
  return { scope, group, name: machine }
}

/** The name of the machine that a network interface or a disk was made for; undefined: for none of ours. */
export function machineOfInterface(name: string): string | undefined {
  const machine = name.endsWith(interfaceSuffix) ? name.slice(0, -interfaceSuffix.length) : ''
  return tagIn(machine) && machine
}

export function machineOfDisk(name: string): string | undefined {
  const [machine = ''] = name.split(diskSeparator)
  return machine !== name && tagIn(machine) ? machine : undefined
}

/** Whether the name carries this tag. */
export function carries(name: string, ours: OwnershipTag): boolean {
  return isOwnedBy({ tag: tagIn(name) }, ours)
}
