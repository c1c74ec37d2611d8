import type { Action } from '../http/action.ts'
import type { Account } from '../account.ts'
import { kinds } from '../ids.ts'
import { listing } from '../http/listing.ts'
import { statusOf, type Reservation } from '../supply/reservations.ts'
import { reference, time, zoneReference, type Base } from '../http/write.ts'
import { group } from './places.ts'

/** To reserve costs a year's rent: the simulator lets nobody do it by the API. */
export const reservationActions: readonly Action[] = listing<Reservation>({
  names: ['list_reservations', 'get_reservation'],
  path: '/v1/reservations',
  collection: 'reservations',
  called: 'Reservation',
  items: ({ reservations }) => reservations.all,
  filters: {
    name: ({ name }) => [name],
    'profile.resource_type': () => ['instance_profile'],
    affinity_policy: ({ affinity }) => [affinity],
    'resource_group.id': (_, { world }) => [world.resourceGroups[0]?.id],
    'zone.name': ({ zone }) => [zone.name],
  },
  // The newest comes first.
  place: ({ number }) => -number,
  idOf: ({ id }) => id,
  write: (reservation, { base }, account) => writeReservation(reservation, base, account),
})

function writeReservation(reservation: Reservation, base: Base, { reservations, world, clock }: Account) {
  const { affinity, createdAt, endsAt, total, profile, zone } = reservation
  const used = reservations.used(reservation)
  const status = statusOf(reservation, clock.now())
  return {
    ...reference(kinds.reservation, reservation, base),
    affinity_policy: affinity,
    created_at: time(createdAt),
    lifecycle_state: 'stable',
    status,
    status_reasons: [],
    capacity: { allocated: total, available: reservations.available(reservation), used, total, status: 'allocated' },
    committed_use: {
      ...(endsAt === undefined ? {} : { expiration_at: time(endsAt) }),
      expiration_policy: 'release',
      term: 'one_year',
    },
    profile: { href: `${base.url}/instance/profiles/${profile}`, name: profile, resource_type: 'instance_profile' },
    zone: zoneReference(zone, base),
    ...group(world),
  }
}
