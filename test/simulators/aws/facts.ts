import type { World } from './world.ts'

/** What somebody has to know to launch something here. */
export interface AwsFacts {
  readonly cloud: 'aws'
  readonly url: string
  readonly region: string
  readonly zones: readonly string[]
  readonly vpc: string
  readonly subnet: string
  readonly subnets: readonly { readonly id: string; readonly availabilityZone: string; readonly cidr: string }[]
  readonly securityGroup: string
  readonly image: string
  readonly key: string
  readonly instanceProfile: string
}

export function awsFacts(world: World, url: string): AwsFacts {
  const vpc = world.vpcs.find(({ isDefault }) => !isDefault) ?? world.vpcs[0]
  const subnets = world.subnets
    .filter((subnet) => subnet.vpc === vpc?.id)
    .map(({ id, zone, cidr }) => ({ id, availabilityZone: zone.name, cidr }))
  const group = world.securityGroups.find((one) => one.vpc === vpc?.id)
  const [subnet, image, key, profile] = [subnets[0], world.images[0], world.keyPairs[0], world.instanceProfiles[0]]
  if (!vpc || !subnet || !group || !image || !key || !profile) {
    throw new Error('A simulated account needs a network, a security group, an image, a key and an instance profile')
  }
  return {
    cloud: 'aws',
    url,
    region: world.region,
    zones: world.zones.map(({ name }) => name),
    vpc: vpc.id,
    subnet: subnet.id,
    subnets,
    securityGroup: group.id,
    image: image.id,
    key: key.name,
    instanceProfile: profile.name,
  }
}
