import type { Offering } from '../../../api/offering.ts'
import type { QuotaClass } from '../../../api/rules/capacity/what-closes.ts'

/**
 * Azure counts the processors of each family of sizes, and those of all spot machines in one quota. The total of a
 * region counts too, but a refusal for it holds back the family alone: others find out by one call each.
 */
export function quotaClassOf({ capacityType, instanceType }: Offering): QuotaClass {
  const { family, processors } = partsOf(instanceType)
  return { name: capacityType === 'Spot' ? 'lowPriorityCores' : family, size: processors }
}

/** `Standard_NC4as_T4_v3`: letters, processors, of which some may be switched off, features, accelerator, version. */
const pattern = /^(?:standard_|basic_)?([a-z]+)(\d+)(?:-\d+)?([a-z]*)((?:_[a-z0-9]+)*)$/

/**
 * A size with its number left out is at most as wide as a family. Where Azure's family is wider, a refusal holds back
 * too little and costs a call, and never too much. A name of another pattern is a class of its own.
 */
function partsOf(instanceType: string): { readonly family: string; readonly processors: number } {
  const name = instanceType.toLowerCase()
  const [, letters, number, features = '', rest = ''] = pattern.exec(name) ?? []
  if (letters === undefined) return { family: name, processors: 1 }
  const isNumbered = numbered.test(`${letters}${rest}`)
  return {
    family: `${letters}${features}${rest}`,
    processors: (isNumbered && byNumber[Number(number)]) || Number(number),
  }
}

/** In the oldest versions of D the number is no count: D11 has as many processors as D2. */
const numbered = /^ds?(?:_v2)?(?:_promo)?$/
const byNumber: Readonly<Record<number, number>> = {
  1: 1,
  2: 2,
  3: 4,
  4: 8,
  5: 16,
  11: 2,
  12: 4,
  13: 8,
  14: 16,
  15: 20,
}
