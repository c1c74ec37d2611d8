import type { Action } from '../http/action.ts'
import { ids } from '../ids.ts'
import { describe } from '../http/listing.ts'
import { stateOf, type CapacityReservation, type ReservationState } from '../supply/reservations.ts'
import { xmlTime } from '../http/xml.ts'

interface Seen {
  readonly reservation: CapacityReservation
  readonly state: ReservationState
}

const tenancy = 'default'
const platform = 'Linux/UNIX'

const describeCapacityReservations = describe<Seen>({
  name: 'DescribeCapacityReservations',
  set: 'capacityReservationSet',
  items: ({ reservations, clock }) =>
    reservations.all.map((reservation) => ({ reservation, state: stateOf(reservation, clock.now()) })),
  // EC2 has none by id or by kind.
  filters: {
    'availability-zone': ({ reservation }) => [reservation.zone],
    'end-date-type': ({ reservation }) => [endOf(reservation)],
    'instance-match-criteria': ({ reservation }) => [reservation.match],
    'instance-platform': () => [platform],
    'instance-type': ({ reservation }) => [reservation.instanceType],
    'owner-id': (_, { accountId }) => [accountId],
    state: ({ state }) => [state],
    tenancy: () => [tenancy],
  },
  tagsOf: () => [],
  by: [
    {
      parameter: 'CapacityReservationId',
      called: 'capacityReservationIds',
      of: ({ reservation }) => reservation.id,
      kind: ids.capacityReservation,
    },
  ],
  page: { min: 1, max: 1000 },
  write: (page, { world, reservations }) =>
    page.map(({ reservation, state }) => ({
      capacityReservationId: reservation.id,
      ownerId: world.accountId,
      capacityReservationArn: `arn:aws:ec2:${world.region}:${world.accountId}:capacity-reservation/${reservation.id}`,
      instanceType: reservation.instanceType,
      instancePlatform: platform,
      availabilityZone: reservation.zone,
      availabilityZoneId: world.zones.find(({ name }) => name === reservation.zone)?.id,
      tenancy,
      totalInstanceCount: reservation.count,
      availableInstanceCount: state === 'active' ? reservations.available(reservation) : 0,
      ebsOptimized: false,
      ephemeralStorage: false,
      state,
      createDate: xmlTime(reservation.createdAt),
      startDate: xmlTime(reservation.startsAt),
      endDate: reservation.endsAt === undefined ? undefined : xmlTime(reservation.endsAt),
      endDateType: endOf(reservation),
      instanceMatchCriteria: reservation.match,
      reservationType: reservation.kind,
    })),
})

function endOf({ endsAt }: CapacityReservation): string {
  return endsAt === undefined ? 'unlimited' : 'limited'
}

export const capacityReservationActions: readonly Action[] = [describeCapacityReservations]
