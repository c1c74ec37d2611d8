/** The kinds of resource that exist here, as they stand in ids. */
export const types = {
  virtualMachine: 'Microsoft.Compute/virtualMachines',
  disk: 'Microsoft.Compute/disks',
  image: 'Microsoft.Compute/images',
  gallery: 'Microsoft.Compute/galleries',
  networkInterface: 'Microsoft.Network/networkInterfaces',
  publicAddress: 'Microsoft.Network/publicIPAddresses',
  network: 'Microsoft.Network/virtualNetworks',
  securityGroup: 'Microsoft.Network/networkSecurityGroups',
  identity: 'Microsoft.ManagedIdentity/userAssignedIdentities',
} as const

export type ResourceType = (typeof types)[keyof typeof types]

export interface ResourceName {
  readonly subscription: string
  readonly resourceGroup: string
  readonly type: ResourceType
  readonly name: string
}

export function idOf({ subscription, resourceGroup, type, name }: ResourceName): string {
  return `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/${type}/${name}`
}

/** Azure's ids are the same in any spelling. */
export function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The last part of an id. */
export function nameIn(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}

/** `Microsoft.Compute/virtualMachines` in the id of one. */
export function typeIn(id: string): string | undefined {
  return /\/providers\/([^/]+\/[^/]+)\/[^/]+$/i.exec(id)?.[1]
}

/** Lists of a whole subscription spell the resource group in capitals. */
export function shouted(id: string): string {
  return id.replace(/(\/resourceGroups\/)([^/]+)/, (_, before: string, group: string) => before + group.toUpperCase())
}
