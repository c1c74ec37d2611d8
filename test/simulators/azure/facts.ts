import { firstOf } from '../kit/first-of.ts'
import type { World } from './world.ts'

export type AzureFacts = Readonly<ReturnType<typeof azureFacts>>

/** What somebody has to know to launch something here. */
export function azureFacts(world: World, url: string, authorityCertificate: string) {
  const network = firstOf(world.networks, 'a network')
  return {
    cloud: 'azure' as const,
    url,
    tenant: world.tenant,
    subscription: world.subscription,
    resourceGroup: firstOf(world.resourceGroups, 'a resource group'),
    location: world.location,
    zones: world.zones,
    vnet: network.name,
    // Its id; the name is the last part of it.
    subnet: firstOf(network.subnets, 'a subnet').id,
    securityGroup: firstOf(world.securityGroups, 'a security group'),
    image: firstOf(world.images, 'an image').id,
    // For AZURE_AUTHORITY_HOST: Azure's clients refuse to get a token over plain HTTP.
    authority: url.replace('http:', 'https:'),
    // The certificate of the authority's signer, for NODE_EXTRA_CA_CERTS.
    authorityCertificate,
  }
}
