import type { World } from './world.ts'

/** What somebody has to know to launch something here. */
export interface AzureFacts {
  readonly cloud: 'azure'
  readonly url: string
  readonly tenant: string
  readonly subscription: string
  readonly resourceGroup: string
  readonly location: string
  readonly zones: readonly string[]
  readonly vnet: string
  /** Its id; the name is the last part of it. */
  readonly subnet: string
  readonly securityGroup: string
  readonly image: string
  /** For AZURE_AUTHORITY_HOST: Azure's clients refuse to get a token over plain HTTP. */
  readonly authority: string
  /** The certificate of whoever signed the authority's, for NODE_EXTRA_CA_CERTS. */
  readonly authorityCertificate: string
}

export function azureFacts(world: World, url: string, authorityCertificate: string): AzureFacts {
  const [network] = world.networks
  const [subnet, image, resourceGroup, group] = [
    network?.subnets[0],
    world.images[0],
    world.resourceGroups[0],
    world.securityGroups[0],
  ]
  if (!network || !subnet || !image || resourceGroup === undefined || group === undefined) {
    throw new Error('A simulated subscription needs a resource group, a network, a security group and an image')
  }
  return {
    cloud: 'azure',
    url,
    tenant: world.tenant,
    subscription: world.subscription,
    resourceGroup,
    location: world.location,
    zones: world.zones,
    vnet: network.name,
    subnet: subnet.id,
    securityGroup: group,
    image: image.id,
    authority: url.replace('http:', 'https:'),
    authorityCertificate,
  }
}
