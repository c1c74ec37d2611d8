import type { World } from './world.ts'

/** What somebody has to know to launch something here. */
export interface IbmFacts {
  readonly cloud: 'ibm'
  /** VPC stands under `/v1` of it, IAM under `/identity/token`. */
  readonly url: string
  readonly apikey: string
  readonly accountId: string
  readonly region: string
  readonly zones: readonly string[]
  readonly vpc: string
  readonly subnet: string
  readonly subnets: readonly { readonly id: string; readonly zone: string; readonly cidr: string }[]
  readonly securityGroup: string
  readonly image: string
  readonly key: string
  readonly resourceGroup: string
  /** In the providerID of Nodes whose instance's user data has no line `cluster-name: …`. */
  readonly clusterName: string
}

export function ibmFacts(world: World, url: string): IbmFacts {
  const [vpc] = world.vpcs
  const subnets = world.subnets
    .filter((subnet) => subnet.vpc === vpc?.id)
    .map(({ id, zone, cidr }) => ({ id, zone: zone.name, cidr }))
  const group = world.securityGroups.find((one) => one.vpc === vpc?.id)
  const [subnet, image, key, resourceGroup] = [subnets[0], world.images[0], world.keys[0], world.resourceGroups[0]]
  if (!vpc || !subnet || !group || !image || !key || !resourceGroup) {
    throw new Error('A simulated account needs a network, a security group, an image, a key and a resource group')
  }
  return {
    cloud: 'ibm',
    url,
    apikey: world.apikey,
    accountId: world.accountId,
    region: world.region,
    zones: world.zones.map(({ name }) => name),
    vpc: vpc.id,
    subnet: subnet.id,
    subnets,
    securityGroup: group.id,
    image: image.id,
    key: key.id,
    resourceGroup: resourceGroup.id,
    clusterName: world.clusterName,
  }
}
