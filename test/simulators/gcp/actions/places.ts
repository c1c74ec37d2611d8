import { action, type Action } from '../http/action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { gceTime } from '../ids.ts'
import { listIn, type Listing } from '../http/listing.ts'
import { regionOf, zoneOf } from '../places.ts'
import { linkTo } from '../references.ts'
import { regionFields, zoneFields } from '../http/schemas/catalogue.ts'
import type { World, Zone } from '../world.ts'

const started = gceTime(Date.UTC(2020, 0, 1))

function writeZone({ name, region }: Zone, { project, zones }: World): Json {
  return {
    kind: 'compute#zone',
    id: String(2000 + zones.findIndex((zone) => zone.name === name)),
    creationTimestamp: started,
    name,
    description: name,
    status: 'UP',
    region: linkTo(`projects/${project}/regions/${region}`),
    selfLink: linkTo(`projects/${project}/zones/${name}`),
    availableCpuPlatforms: ['Intel Broadwell', 'Intel Cascade Lake', 'AMD Milan'],
  }
}

function writeRegion(name: string, { project, zones, regions }: World): Json {
  return {
    kind: 'compute#region',
    id: String(1000 + regions.indexOf(name)),
    creationTimestamp: started,
    name,
    description: name,
    status: 'UP',
    zones: zones
      .filter(({ region }) => region === name)
      .map((zone) => linkTo(`projects/${project}/zones/${zone.name}`)),
    selfLink: linkTo(`projects/${project}/regions/${name}`),
  }
}

const zones: Listing<Zone> = {
  collection: 'zones',
  resource: 'zones',
  kind: 'compute#zone',
  fields: zoneFields,
  items: ({ world }) => world.zones,
  scopeOf: () => '',
  nameOf: ({ name }) => name,
  write: writeZone,
}

const regions: Listing<string> = {
  collection: 'regions',
  resource: 'regions',
  kind: 'compute#region',
  fields: regionFields,
  items: ({ world }) => world.regions,
  scopeOf: () => '',
  nameOf: (name) => name,
  write: writeRegion,
}

const getZone = action({
  name: 'zones.get',
  method: 'GET',
  path: 'projects/{project}/zones/{zone}',
  answers: zoneFields,
  perform: ({ parameters }, { world }) => writeZone(zoneOf(parameters, world), world),
})

const getRegion = action({
  name: 'regions.get',
  method: 'GET',
  path: 'projects/{project}/regions/{region}',
  answers: regionFields,
  perform: ({ parameters }, { world }) => writeRegion(regionOf(parameters, world), world),
})

export const placeActions: readonly Action[] = [getZone, listIn(zones, ''), getRegion, listIn(regions, '')]
