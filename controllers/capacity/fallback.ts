import type { InfraMachine } from '../../api/machine.ts'
import { isCapacityType } from '../../api/offering.ts'
import type { FallbackEntry } from '../../api/rules/capacity/rung.ts'

/** Without it a machine asks for one offering, and fails with the refusal. */
export function hasFallback(infra: Pick<InfraMachine, 'spec'>): boolean {
  return fallbackOf(infra).length > 0
}

/** The entries of `spec.fallback`, which are the same on all clouds but for the name of the types. */
export function fallbackOf({ spec }: Pick<InfraMachine, 'spec'>): readonly FallbackEntry[] {
  const { fallback } = spec as { readonly fallback?: unknown }
  return Array.isArray(fallback) ? fallback.filter((one) => typeof one === 'object' && one !== null).map(entryOf) : []
}

/** As each cloud names its instance types. */
const typeFields = ['instanceTypes', 'vmSizes', 'profiles'] as const

function entryOf(entry: Readonly<Record<string, unknown>>): FallbackEntry {
  const { capacityType, zones, after } = entry
  const types = typeFields.map((field) => entry[field]).find(isTexts)
  return {
    ...(typeof capacityType === 'string' && isCapacityType(capacityType) ? { capacityType } : {}),
    ...(types ? { instanceTypes: types } : {}),
    ...(isTexts(zones) ? { zones } : {}),
    ...(typeof after === 'string' ? { after } : {}),
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
