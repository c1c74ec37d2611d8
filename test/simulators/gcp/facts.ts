import type { World } from './world.ts'

/** What somebody has to know to insert something here. */
export interface GcpFacts {
  readonly cloud: 'gcp'
  readonly url: string
  readonly project: string
  readonly region: string
  readonly zones: readonly string[]
  readonly network: string
  /** `projects/…` */
  readonly subnet: string
  /** `projects/…` */
  readonly image: string
}

export function gcpFacts(world: World, url: string): GcpFacts {
  const { project, region } = world
  const subnet = world.subnetworks.find((one) => one.region === region && one.network !== 'default')
  const image = world.images.find((one) => one.project === project)
  if (!subnet || !image) throw new Error('A simulated project needs a subnetwork and an image of its own')
  return {
    cloud: 'gcp',
    url,
    project,
    region,
    zones: world.zones.filter((zone) => zone.region === region).map(({ name }) => name),
    network: subnet.network,
    subnet: `projects/${project}/regions/${region}/subnetworks/${subnet.name}`,
    image: `projects/${project}/global/images/${image.name}`,
  }
}
