import { firstOf } from '../kit/first-of.ts'
import type { World } from './world.ts'

export type IbmFacts = Readonly<ReturnType<typeof ibmFacts>>

/** What somebody has to know to launch something here. */
export function ibmFacts(world: World, url: string) {
  const vpc = firstOf(world.vpcs, 'a network')
  const subnets = world.subnets
    .filter((subnet) => subnet.vpc === vpc.id)
    .map(({ id, zone, cidr }) => ({ id, zone: zone.name, cidr }))
  const groups = world.securityGroups.filter((one) => one.vpc === vpc.id)
  return {
    cloud: 'ibm' as const,
    // VPC stands under `/v1` of it, IAM under `/identity/token`.
    url,
    apikey: world.apikey,
    accountId: world.accountId,
    region: world.region,
    zones: world.zones.map(({ name }) => name),
    vpc: vpc.id,
    subnet: firstOf(subnets, 'a subnet').id,
    subnets,
    securityGroup: firstOf(groups, 'a security group').id,
    image: firstOf(world.images, 'an image').id,
    key: firstOf(world.keys, 'a key').id,
    resourceGroup: firstOf(world.resourceGroups, 'a resource group').id,
    // In the providerID of Nodes whose instance's user data has no line `cluster-name: …`.
    clusterName: world.clusterName,
  }
}
