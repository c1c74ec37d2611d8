export type CapacityType = 'Spot' | 'OnDemand' | 'Reserved'

/** Capacity that a cloud may have or lack. */
export interface Offering {
  readonly capacityType: CapacityType
  readonly instanceType: string
  /** '' if the request names no zone. */
  readonly zone: string
}

declare const isOfferingKey: unique symbol

/** The one name of an offering, in attempts, labels and backoff groups: `capacityType:instanceType:zone`. */
export type OfferingKey = string & { readonly [isOfferingKey]: true }

export function offeringKey({ capacityType, instanceType, zone }: Offering): OfferingKey {
  return `${capacityType}:${instanceType}:${zone}` as OfferingKey
}

const capacityTypes: Readonly<Record<CapacityType, string>> = {
  Spot: 'spot',
  OnDemand: 'on demand',
  Reserved: 'reserved',
}

export function isCapacityType(text: string): text is CapacityType {
  return Object.hasOwn(capacityTypes, text)
}

/** The offering of a key. Undefined if no offering has this key, because tenants may write attempts. */
export function parseOfferingKey(text: string): Offering | undefined {
  const [capacityType = '', instanceType = '', zone, ...rest] = text.split(':')
  if (!isCapacityType(capacityType) || instanceType === '' || zone === undefined) return undefined
  return rest.length > 0 ? undefined : { capacityType, instanceType, zone }
}

/** An offering in words, for conditions: `m5.large spot in us-east-1a`. */
export function offeringInWords({ capacityType, instanceType, zone }: Offering): string {
  return `${instanceType} ${capacityTypes[capacityType]}${zone ? ` in ${zone}` : ''}`
}
