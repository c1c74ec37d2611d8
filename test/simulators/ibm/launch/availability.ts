import type { Account } from '../account.ts'
import { badField, IbmError } from '../http/errors.ts'
import { findOne, kinds } from '../ids.ts'
import type { LaunchPlan, PlacementTarget, ReservationAffinity } from '../instances/instance.ts'
import type { AvailabilityClass, InstanceProfile } from '../supply/instance-profiles.ts'
import { statusOf, suits } from '../supply/reservations.ts'
import type { CreateInstanceValues } from './parameters.ts'

/** From this version on an instance that says nothing of reservations takes what fits. */
const automaticSince = '2024-11-19'

type Affinity = CreateInstanceValues['reservation_affinity']
type Chosen = Pick<LaunchPlan, 'availability' | 'affinity' | 'placement'>

interface Wanted {
  readonly profile: InstanceProfile
  readonly zone: string
  readonly percentage: number
  readonly version: string
}

/** On what terms the instance may be had, which exclude one another in many ways. */
export function checkAvailability(values: CreateInstanceValues, wanted: Wanted, account: Account): Chosen {
  const availability = checkClass(values.availability?.class, wanted.profile)
  const placement = checkPlacement(values.placement_target, account)
  const affinity = checkAffinity(values.reservation_affinity, { ...wanted, availability, placement }, account)
  const isOnHost = placement !== undefined && placement.kind !== 'placementGroup'
  if (availability === 'spot') {
    if (isOnHost)
      throw badField('placement_target', 'A spot instance cannot be placed on a dedicated host or host group.')
    if (affinity.policy !== 'disabled') {
      throw badField(
        'reservation_affinity.policy',
        'The policy must be `disabled` for a spot instance.',
        affinity.policy,
      )
    }
  }
  if (placement && affinity.policy !== 'disabled') {
    throw badField(
      'reservation_affinity.policy',
      'The policy must be `disabled` with a placement target.',
      affinity.policy,
    )
  }
  if (wanted.percentage < 100 && (availability === 'spot' || isOnHost || affinity.policy !== 'disabled')) {
    throw badField('vcpu.percentage', 'The percentage must be 100 for such an instance.', String(wanted.percentage))
  }
  return { availability, affinity, placement }
}

export function checkClass(given: AvailabilityClass | undefined, profile: InstanceProfile): AvailabilityClass {
  const [usual] = profile.classes
  const wanted = given ?? usual
  if (profile.classes.includes(wanted)) return wanted
  throw badField('availability.class', `The profile ${profile.name} does not support this availability class.`, wanted)
}

interface Terms extends Wanted {
  readonly availability: AvailabilityClass
  readonly placement: PlacementTarget | undefined
}

function checkAffinity(given: Affinity, terms: Terms, account: Account): ReservationAffinity {
  // Of whatever policy: IBM's model allows none for these.
  if (given && (terms.profile.cpus < 2 || terms.percentage < 100)) {
    throw badField(
      'reservation_affinity',
      'The instance must have two or more vCPUs, and `vcpu.percentage` must be `100`.',
    )
  }
  const policy = given?.policy ?? (given?.pool?.length ? 'manual' : usualPolicy(terms, account))
  return checkPool(policy, given?.pool ?? [], terms, account)
}

function usualPolicy({ availability, placement, percentage, version, profile }: Terms, account: Account) {
  const mayReserve = placement === undefined && percentage === 100 && profile.cpus >= 2
  const usual = version >= automaticSince && mayReserve ? 'automatic' : 'disabled'
  const isLenient = account.switches.behaviour.spotWithoutAffinity === 'accepted'
  return availability === 'spot' && isLenient ? 'disabled' : usual
}

/** A pool belongs to the policy `manual`, and there it has exactly one reservation that fits. */
export function checkPool(
  policy: ReservationAffinity['policy'],
  identities: NonNullable<NonNullable<Affinity>['pool']>,
  { profile, zone }: Pick<Wanted, 'profile' | 'zone'>,
  { reservations, world, clock }: Account,
): ReservationAffinity {
  const field = 'reservation_affinity.pool'
  if (policy !== 'manual') {
    if (identities.length > 0) throw badField(field, `The pool must be empty with the policy \`${policy}\`.`)
    return { policy, pool: [] }
  }
  if (identities.length !== 1) throw badField(field, 'The pool must have one reservation with the policy `manual`.')
  const pool = identities.map((identity, at) =>
    findOne(identity, { kind: kinds.reservation, items: reservations.all, place: world, field: `${field}[${at}]` }),
  )
  for (const one of pool) {
    if (statusOf(one, clock.now()) !== 'active') throw badField(field, `The reservation ${one.name} is not active.`)
    if (!suits(one, { profile: profile.name, zone })) {
      throw badField(field, `The reservation ${one.name} is for another profile or zone.`)
    }
    if (reservations.available(one) === 0) {
      throw new IbmError('reservation_capacity_unavailable', `The reservation ${one.name} has no capacity available.`)
    }
  }
  return { policy, pool }
}

function checkPlacement(
  given: CreateInstanceValues['placement_target'],
  { world }: Account,
): PlacementTarget | undefined {
  if (!given) return undefined
  const targets = [
    ...world.dedicatedHosts.map((target) => ({ kind: 'dedicatedHost' as const, target })),
    ...world.dedicatedHostGroups.map((target) => ({ kind: 'dedicatedHostGroup' as const, target })),
  ]
  const onHost = targets.find(({ kind, target }) => isMeant(given, { kind, target }, world))
  if (onHost) return onHost
  const target = findOne(given, {
    kind: kinds.placementGroup,
    items: world.placementGroups,
    place: world,
    field: 'placement_target',
  })
  return { kind: 'placementGroup', target }
}

function isMeant(
  identity: NonNullable<CreateInstanceValues['placement_target']>,
  { kind, target }: PlacementTarget,
  place: Account['world'],
): boolean {
  try {
    findOne(identity, { kind: kinds[kind], items: [target], place, field: 'placement_target' })
    return true
  } catch {
    return false
  }
}
