import type { Action } from '../http/action.ts'
import { kinds } from '../ids.ts'
import { listing } from '../http/listing.ts'
import { reference, zoneReference, type Base } from '../http/write.ts'
import type { Image, World } from '../world.ts'
import { group } from './places.ts'

export const imageActions: readonly Action[] = listing<Image>({
  names: ['list_images', 'get_image'],
  path: '/v1/images',
  collection: 'images',
  called: 'Image',
  items: ({ world }) => world.images,
  filters: {
    'resource_group.id': (_, { world }) => [world.resourceGroups[0]?.id],
    name: ({ name }) => [name],
    status: ({ status }) => [status],
    visibility: ({ visibility }) => [visibility],
    user_data_format: () => ['cloud_init'],
    'remote.account.id': () => ['null'],
  },
  several: ['status', 'user_data_format'],
  idOf: ({ id }) => id,
  write: (image, { base }, { world }) => writeImage(image, world, base),
})

function writeImage(image: Image, world: World, base: Base) {
  const { status, visibility, sizeGB, created } = image
  const zones = world.zones.filter(({ name }) => image.zones?.includes(name) ?? true)
  return {
    ...reference(kinds.image, image, base),
    created_at: created,
    status,
    status_reasons: [],
    visibility,
    user_data_format: 'cloud_init',
    encryption: 'none',
    file: { size: 2 },
    minimum_provisioned_size: sizeGB,
    allowed_use: { api_version: '2026-01-01', bare_metal_server: 'true', instance: 'true' },
    catalog_offering: { managed: false },
    operating_system: operatingSystem(image, base),
    zones: zones.map((zone) => zoneReference(zone, base)),
    ...group(world),
  }
}

function operatingSystem({ architecture }: Image, { url }: Base) {
  const name = `ubuntu-24-04-${architecture}`
  return {
    name,
    href: `${url}/operating_systems/${name}`,
    architecture,
    family: 'Ubuntu Linux',
    vendor: 'Canonical',
    version: '24.04 LTS',
    display_name: `Ubuntu Linux 24.04 LTS (${architecture})`,
    allow_user_image_creation: true,
    dedicated_host_only: false,
    user_data_format: 'cloud_init',
  }
}
