import { action, type Action } from '../http/action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { notFound } from '../http/errors.ts'
import { gceTime } from '../ids.ts'
import { aggregatedList, listIn, type Listing } from '../http/listing.ts'
import { nameOf, zoneOf } from '../places.ts'
import type { Project } from '../project.ts'
import { linkTo } from '../references.ts'
import type { Reservation } from '../supply/reservations.ts'
import { reservationFields } from '../http/schemas/catalogue.ts'
import type { World } from '../world.ts'

/** How much of it is used belongs to it. */
interface Used {
  readonly reservation: Reservation
  readonly inUse: number
}

function used({ reservations }: Project): readonly Used[] {
  return reservations.all.map((reservation) => ({ reservation, inUse: reservations.inUse(reservation) }))
}

function write({ reservation, inUse }: Used, { project }: World): Json {
  const { id, name, zone, count, match, instanceType, createdAt } = reservation
  const zonePath = `projects/${project}/zones/${zone}`
  return {
    kind: 'compute#reservation',
    id,
    creationTimestamp: gceTime(createdAt),
    name,
    zone: linkTo(zonePath),
    selfLink: linkTo(`${zonePath}/reservations/${name}`),
    status: 'READY',
    specificReservationRequired: match === 'targeted',
    specificReservation: {
      count: String(count),
      inUseCount: String(inUse),
      assuredCount: String(count),
      instanceProperties: { machineType: instanceType },
    },
  }
}

const listing: Listing<Used> = {
  collection: 'reservations',
  resource: 'reservations',
  kind: 'compute#reservation',
  fields: reservationFields,
  items: used,
  scopeOf: ({ reservation }) => `zones/${reservation.zone}`,
  nameOf: ({ reservation }) => reservation.name,
  createdAt: ({ reservation }) => reservation.createdAt,
  write,
}

const get = action({
  name: 'reservations.get',
  method: 'GET',
  path: 'projects/{project}/zones/{zone}/reservations/{reservation}',
  answers: reservationFields,
  perform({ parameters }, project) {
    const { world } = project
    const zone = zoneOf(parameters, world).name
    const name = nameOf(parameters, 'reservation')
    const found = used(project).find(
      ({ reservation }) => reservation.zone === zone && [reservation.name, reservation.id].includes(name),
    )
    if (found) return write(found, world)
    throw notFound(`projects/${world.project}/zones/${zone}/reservations/${name}`)
  },
})

export const reservationActions: readonly Action[] = [get, listIn(listing, 'zones/{zone}'), aggregatedList(listing)]
