import { GceError, invalidValue } from '../http/errors.ts'
import type { Project } from '../project.ts'
import type { Reservation } from '../supply/reservations.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'

type Asked = NonNullable<InstanceValues['reservationAffinity']>

interface Wanted {
  readonly instanceType: string
  readonly zone: string
  readonly isSpot: boolean
}

const field = (name: string) => `resource.reservationAffinity.${name}`
const byName = 'compute.googleapis.com/reservation-name'

/** The reservation that an instance runs in. Spot instances run in none. */
export function checkReservation(
  asked: Asked = {},
  wanted: Wanted,
  { reservations }: Project,
): Reservation | undefined {
  const how = asked.consumeReservationType ?? (wanted.isSpot ? 'NO_RESERVATION' : 'ANY_RESERVATION')
  if (wanted.isSpot && how !== 'NO_RESERVATION') {
    throw invalidValue(
      field('consumeReservationType'),
      how,
      'Preemptible and Spot VM instances cannot consume reservations.',
    )
  }
  if (how === 'SPECIFIC_RESERVATION') return specific(asked, wanted, reservations)
  const { key, values = [] } = asked
  if (key !== undefined || values.length > 0) {
    throw invalidValue(field('key'), key ?? '', `Must not be set with consumeReservationType ${how}.`)
  }
  return how === 'ANY_RESERVATION' ? reservations.findOpen(wanted) : undefined
}

function specific({ key, values = [] }: Asked, wanted: Wanted, reservations: Project['reservations']): Reservation {
  if (key !== byName) throw invalidValue(field('key'), key ?? '', `Must be '${byName}'.`)
  const [value, ...more] = values
  if (value === undefined || more.length > 0) {
    throw invalidValue(field('values'), values.join(','), 'Exactly one reservation must be named.')
  }
  const name = value.split('/').at(-1) ?? ''
  const found = reservations.find(wanted.zone, name)
  if (!found) throw new GceError('badRequest', `Specified reservations [${name}] do not exist.`)
  if (reservations.suits(found, wanted)) return found
  throw new GceError('badRequest', `Specified reservation '${name}' does not have available resources for the request.`)
}
