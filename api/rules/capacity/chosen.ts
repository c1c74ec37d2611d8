import type { Site } from '../../attempt.ts'
import { isCapacityType, offeringKey, parseOfferingKey, type CapacityType, type Offering } from '../../offering.ts'

/** What an attempt asks for: one offering in one subnet. Frozen, so that every repetition asks for the same. */
export interface Chosen extends Offering {
  /** 0 is the spec itself, the others are the entries of its `fallback`. */
  readonly rung: number
  readonly subnet: string
  /** A digest of what narrows the capacity further, such as a placement group. Left out without any. */
  readonly constraints?: string
  /** The reservation that it draws on. */
  readonly reservation?: string
}

/** The fields of an attempt that tell what it asks for. Managers before `choice` write the other two alone. */
export interface Choosing {
  readonly choice?: Chosen | undefined
  readonly at?: Site | undefined
  readonly offering?: string | undefined
}

export function chosen({ capacityType, instanceType, zone }: Offering, subnet: string, rung: number): Chosen {
  return { rung, capacityType, instanceType, zone, subnet }
}

/**
 * What the attempt asks for. An older manager that begins the next attempt keeps a `choice` that it does not know. So
 * the older fields win where they differ, and they are of rung 0.
 */
export function chosenOf({ choice, at, offering: key }: Choosing): Chosen | undefined {
  const offering = key === undefined ? undefined : parseOfferingKey(key)
  const isSame = choice && (at === undefined || (at.subnet === choice.subnet && at.zone === choice.zone))
  if (isSame && (key === undefined || key === offeringKey(choice))) return choice
  return at && offering ? chosen({ ...offering, zone: at.zone }, at.subnet, 0) : undefined
}

/** Where the attempt asks, also if nothing tells for what. */
export function siteOf({ choice, at }: Choosing): Site | undefined {
  return at ?? (choice && { subnet: choice.subnet, zone: choice.zone })
}

export function offeringOf(choosing: Choosing): Offering | undefined {
  if (choosing.offering !== undefined) return parseOfferingKey(choosing.offering)
  const { capacityType, instanceType, zone } = choosing.choice ?? {}
  if (capacityType === undefined || instanceType === undefined || zone === undefined) return undefined
  return { capacityType, instanceType, zone }
}

/** The spec and the longest `fallback`. */
export const mostRungs = 9

export function isRung(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < mostRungs
}

/** Whether a value of an annotation is a choice. */
export function isChosen(value: unknown): value is Chosen {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { rung, capacityType, instanceType, zone, subnet, constraints, reservation } = value as Partial<
    Record<keyof Chosen, unknown>
  >
  if (!isRung(rung) || !isMarket(capacityType)) return false
  const offering = isName(instanceType) && (zone === '' || isName(zone)) && isWhole(capacityType, instanceType, zone)
  return offering && isName(subnet) && [constraints, reservation].every((text) => text === undefined || isName(text))
}

function isMarket(value: unknown): value is CapacityType {
  return typeof value === 'string' && isCapacityType(value)
}

/** The key of the offering leads back to it, so no part of it has the separator. */
function isWhole(capacityType: CapacityType, instanceType: string, zone: string): boolean {
  return parseOfferingKey(offeringKey({ capacityType, instanceType, zone })) !== undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName
}

const longestName = 1024
