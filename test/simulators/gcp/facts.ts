import { firstOf } from '../kit/first-of.ts'
import type { World } from './world.ts'

export type GcpFacts = Readonly<ReturnType<typeof gcpFacts>>

/** What somebody has to know to insert something here. */
export function gcpFacts({ project, region, ...world }: World, url: string) {
  const subnets = world.subnetworks.filter((one) => one.region === region && one.network !== 'default')
  const images = world.images.filter((one) => one.project === project)
  const subnet = firstOf(subnets, 'a subnetwork of its own')
  return {
    cloud: 'gcp' as const,
    url,
    project,
    region,
    zones: world.zones.filter((zone) => zone.region === region).map(({ name }) => name),
    network: subnet.network,
    subnet: `projects/${project}/regions/${region}/subnetworks/${subnet.name}`,
    image: `projects/${project}/global/images/${firstOf(images, 'an image of its own').name}`,
  }
}
