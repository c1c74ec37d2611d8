import type { Account } from '../account.ts'
import { invalidCombination, notSimulated } from '../http/errors.ts'
import { findOne, ids } from '../ids.ts'
import type { InstanceType } from '../supply/instance-types.ts'
import type { LaunchPlan, Market } from '../instances/instance.ts'
import { noRoom, type CapacityReservation } from '../supply/reservations.ts'
import type { RunInstancesValues } from './parameters.ts'

type Specification = NonNullable<RunInstancesValues['CapacityReservationSpecification']>

interface Launch {
  readonly type: InstanceType
  readonly zone: string
  readonly market: Market
  readonly count: LaunchPlan['count']
}

/** The reservation that the instances run in; undefined: in none. */
export function checkReservation(
  given: Specification | undefined,
  launch: Launch,
  account: Account,
): CapacityReservation | undefined {
  const { CapacityReservationPreference: preference, CapacityReservationTarget: target } = given ?? {}
  if (target?.CapacityReservationResourceGroupArn !== undefined) throw notSimulated('capacity reservation groups')
  const id = target?.CapacityReservationId
  if (id !== undefined && preference !== undefined && preference !== 'capacity-reservations-only') {
    throw invalidCombination(
      `The capacity reservation preference '${preference}' cannot be used with a capacity reservation target.`,
    )
  }
  if (launch.market === 'spot') return refuseWithSpot(id, preference)
  if (id !== undefined) return named(id, launch, account)
  if (launch.market === 'capacity-block') {
    throw invalidCombination('The market type capacity-block requires a capacity reservation target.')
  }
  return unnamed(preference, launch, account)
}

function refuseWithSpot(id: string | undefined, preference: Specification['CapacityReservationPreference']): undefined {
  if (id === undefined && preference !== 'capacity-reservations-only') return undefined
  throw invalidCombination('Spot Instances cannot run in a Capacity Reservation.')
}

function named(id: string, launch: Launch, { reservations, clock }: Account): CapacityReservation {
  const found = findOne(ids.capacityReservation, id, reservations.all, (one) => one.id)
  if ((found.kind === 'capacity-block') !== (launch.market === 'capacity-block')) {
    throw invalidCombination(
      `The market type ${launch.market} cannot be used with the capacity reservation '${id}' of type ${found.kind}.`,
    )
  }
  reservations.check(found, wantedBy(launch), clock.now())
  return found
}

function unnamed(
  preference: Specification['CapacityReservationPreference'],
  launch: Launch,
  { reservations, clock }: Account,
): CapacityReservation | undefined {
  if (preference === 'none') return undefined
  const open = reservations.findOpen(wantedBy(launch), clock.now())
  if (open || preference !== 'capacity-reservations-only') return open
  throw noRoom()
}

function wantedBy({ type, zone, count }: Launch) {
  return { instanceType: type.name, zone, count }
}
