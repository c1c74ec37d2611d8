import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import type { CapacityType, Offering } from '../../../api/offering.ts'
import type { ProfileFacts } from '../lookups/facts.ts'
import { invalid, noReservation } from '../../shared/invalid.ts'
import type { LaunchAs } from './request.ts'

/** How an instance is bought. */
export interface Market extends Pick<LaunchAs, 'availability' | 'availability_policy' | 'reservation_affinity'> {
  readonly capacityType: CapacityType
}

/**
 * Nothing is left to IBM's defaults: without these fields a newer API takes capacity that the account has reserved for
 * others, and refuses spot for that. The exception are profiles that cannot use a reservation: there IBM's default is
 * not to, and one of its documents allows no policy at all.
 */
export function marketOf(spec: IBMMachineSpec, profile: ProfileFacts): Market {
  const wanted = classOf(spec, profile)
  const isSpot = wanted === 'spot'
  if (isSpot) refuseWhatSpotExcludes(spec)
  const affinity = affinityOf(spec, profile)
  const policies = policiesOf(spec, isSpot)
  return {
    capacityType: isSpot ? 'Spot' : affinity?.policy === 'manual' ? 'Reserved' : 'OnDemand',
    availability: { class: wanted },
    ...(policies ? { availability_policy: policies } : {}),
    ...(affinity ? { reservation_affinity: affinity } : {}),
  }
}

/** The spec with which this is bought. The spec's own terms hold in their own market, and usual ones in others. */
export function boughtAs(spec: IBMMachineSpec, { capacityType, instanceType: profile }: Offering): IBMMachineSpec {
  const { availability, availabilityPolicy: policy, reservationAffinity: affinity, ...rest } = spec
  if (capacityType === 'Spot') {
    refuseHost(spec)
    return { ...rest, profile, availability: { class: 'spot' }, ...(policy ? { availabilityPolicy: policy } : {}) }
  }
  const isReserved = affinity?.policy === 'manual'
  if (capacityType === 'Reserved' && !isReserved) throw noReservation('spec.reservationAffinity of the IBMMachine')
  const isKept = affinity !== undefined && (capacityType === 'Reserved' || !isReserved)
  return {
    ...rest,
    profile,
    availability: { class: 'standard' },
    ...(isKept ? { reservationAffinity: affinity } : {}),
    ...policyFor(policy, availability?.class === 'spot'),
  }
}

/** What is to happen at a preemption is a term of spot. */
function policyFor(policy: IBMMachineSpec['availabilityPolicy'], isOfSpot: boolean) {
  if (!policy) return {}
  const { preemption: _, ...others } = policy
  return { availabilityPolicy: isOfSpot ? others : policy }
}

function refuseHost({ placementTarget }: IBMMachineSpec): void {
  if (!placementTarget?.dedicatedHost && !placementTarget?.dedicatedHostGroup) return
  throw invalid('spec.placementTarget of the IBMMachine excludes spot; remove it, or the rungs with capacityType Spot.')
}

/** Undefined for a profile that cannot use a reservation. */
function affinityOf(
  { reservationAffinity }: IBMMachineSpec,
  { name, cpus, percentage }: ProfileFacts,
): LaunchAs['reservation_affinity'] {
  const { policy = 'disabled', pool = [] } = reservationAffinity ?? {}
  if (cpus >= 2 && percentage === 100) {
    return { policy, ...(pool.length > 0 ? { pool: pool.map(({ id }) => ({ id })) } : {}) }
  }
  if (policy === 'disabled') return undefined
  throw invalid(
    `spec.reservationAffinity of the IBMMachine: instances of profile ${name} cannot use a reservation, which needs two ` +
      'whole processors; remove it, or use another profile.',
  )
}

/** The profile itself says in which classes it is sold. Its name does not. */
function classOf({ availability }: IBMMachineSpec, { name, classes, usualClass }: ProfileFacts): string {
  const wanted = availability?.class ?? usualClass
  if (classes.includes(wanted)) return wanted
  const others = classes.join(' or ')
  throw invalid(
    `spec.availability.class of the IBMMachine is ${wanted}, but IBM sells profile ${name} as ${others} only. ` +
      (wanted === 'spot'
        ? 'Use a profile that supports spot, such as the flex profiles (bxf-2x8), or class standard.'
        : `Use another profile, or class ${others}.`),
  )
}

/** The CRD refuses this too where the spec itself asks for spot. Here the profile may have asked for it. */
function refuseWhatSpotExcludes({ profile, placementTarget, reservationAffinity }: IBMMachineSpec): void {
  const because = `excludes spot, but IBM sells profile ${profile} only as spot; remove it, or use another profile.`
  if (reservationAffinity && reservationAffinity.policy !== 'disabled') {
    throw invalid(`spec.reservationAffinity of the IBMMachine ${because}`)
  }
  if (placementTarget?.dedicatedHost || placementTarget?.dedicatedHostGroup) {
    throw invalid(`spec.placementTarget of the IBMMachine ${because}`)
  }
}

/** A stopped instance still shows why it stopped; a deleted one shows nothing. */
function policiesOf({ availabilityPolicy }: IBMMachineSpec, isSpot: boolean): LaunchAs['availability_policy'] {
  const { preemption = isSpot ? 'stop' : undefined, hostFailure } = availabilityPolicy ?? {}
  if (preemption === undefined && hostFailure === undefined) return undefined
  return {
    ...(preemption === undefined ? {} : { preemption }),
    ...(hostFailure === undefined ? {} : { host_failure: hostFailure }),
  }
}
