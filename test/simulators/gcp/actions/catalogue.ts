import { action, type Action } from '../http/action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { notFound } from '../http/errors.ts'
import { gceTime } from '../ids.ts'
import { aggregatedList, listIn, type Listing } from '../http/listing.ts'
import {
  acceleratorTypes,
  isOfferedIn,
  machineTypes,
  type AcceleratorType,
  type MachineType,
} from '../supply/machine-types.ts'
import { nameOf, zoneOf } from '../places.ts'
import { linkTo } from '../references.ts'
import { acceleratorTypeFields, machineTypeFields } from '../http/schemas/catalogue.ts'
import type { World, Zone } from '../world.ts'

/** A row of the catalogue in one of the zones where it is offered. */
interface Offered<T> {
  readonly row: T
  readonly zone: Zone
}

function offered<T extends { readonly zoneLetters: string }>(rows: readonly T[], { zones }: World): Offered<T>[] {
  return zones.flatMap((zone) => rows.filter((row) => isOfferedIn(row, zone.name)).map((row) => ({ row, zone })))
}

const started = gceTime(Date.UTC(2020, 0, 1))

const types: Listing<Offered<MachineType>> = {
  collection: 'machineTypes',
  resource: 'machineTypes',
  kind: 'compute#machineType',
  fields: machineTypeFields,
  items: ({ world }) => offered(machineTypes, world),
  scopeOf: ({ zone }) => `zones/${zone.name}`,
  nameOf: ({ row }) => row.name,
  write: writeMachineType,
}

function writeMachineType({ row, zone }: Offered<MachineType>, { project }: World): Json {
  return {
    kind: 'compute#machineType',
    id: row.id,
    creationTimestamp: started,
    name: row.name,
    description: `${row.cpus} vCPUs, ${row.memoryMiB / 1024} GB RAM`,
    guestCpus: row.cpus,
    memoryMb: row.memoryMiB,
    imageSpaceGb: 0,
    maximumPersistentDisks: 128,
    maximumPersistentDisksSizeGb: '263168',
    zone: zone.name,
    selfLink: linkTo(`projects/${project}/zones/${zone.name}/machineTypes/${row.name}`),
    isSharedCpu: row.isShared,
    ...(row.accelerators.length > 0 && {
      accelerators: row.accelerators.map(({ type, count }) => ({
        guestAcceleratorType: type,
        guestAcceleratorCount: count,
      })),
    }),
    architecture: row.architecture,
  }
}

const accelerators: Listing<Offered<AcceleratorType>> = {
  collection: 'acceleratorTypes',
  resource: 'acceleratorTypes',
  kind: 'compute#acceleratorType',
  fields: acceleratorTypeFields,
  items: ({ world }) => offered(acceleratorTypes, world),
  scopeOf: ({ zone }) => `zones/${zone.name}`,
  nameOf: ({ row }) => row.name,
  write: ({ row, zone }, { project }) => ({
    kind: 'compute#acceleratorType',
    id: row.id,
    creationTimestamp: started,
    name: row.name,
    description: row.description,
    zone: linkTo(`projects/${project}/zones/${zone.name}`),
    selfLink: linkTo(`projects/${project}/zones/${zone.name}/acceleratorTypes/${row.name}`),
    maximumCardsPerInstance: row.most,
  }),
}

/** One of them, in one zone. */
function getIn<T>(listing: Listing<Offered<T>>, parameter: string): Action {
  const { resource, collection, fields, nameOf: named, items, write } = listing
  return action({
    name: `${resource}.get`,
    method: 'GET',
    path: `projects/{project}/zones/{zone}/${collection}/{${parameter}}`,
    answers: fields,
    perform({ parameters }, project) {
      const { world } = project
      const zone = zoneOf(parameters, world)
      const name = nameOf(parameters, parameter)
      const found = items(project).find((one) => one.zone === zone && named(one) === name)
      if (found) return write(found, world)
      throw notFound(`projects/${world.project}/zones/${zone.name}/${collection}/${name}`)
    },
  })
}

export const catalogueActions: readonly Action[] = [
  getIn(types, 'machineType'),
  listIn(types, 'zones/{zone}'),
  aggregatedList(types),
  getIn(accelerators, 'acceleratorType'),
  listIn(accelerators, 'zones/{zone}'),
  aggregatedList(accelerators),
]
