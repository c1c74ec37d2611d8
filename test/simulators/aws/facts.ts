import { firstOf } from '../kit/first-of.ts'
import type { World } from './world.ts'

export type AwsFacts = Readonly<ReturnType<typeof awsFacts>>

/** What somebody has to know to launch something here. */
export function awsFacts(world: World, url: string) {
  const vpc = world.vpcs.find(({ isDefault }) => !isDefault) ?? firstOf(world.vpcs, 'a network')
  const subnets = world.subnets
    .filter((subnet) => subnet.vpc === vpc.id)
    .map(({ id, zone, cidr }) => ({ id, availabilityZone: zone.name, cidr }))
  const groups = world.securityGroups.filter((one) => one.vpc === vpc.id)
  return {
    cloud: 'aws' as const,
    url,
    region: world.region,
    zones: world.zones.map(({ name }) => name),
    vpc: vpc.id,
    subnet: firstOf(subnets, 'a subnet').id,
    subnets,
    securityGroup: firstOf(groups, 'a security group').id,
    image: firstOf(world.images, 'an image').id,
    key: firstOf(world.keyPairs, 'a key').name,
    instanceProfile: firstOf(world.instanceProfiles, 'an instance profile').name,
  }
}
