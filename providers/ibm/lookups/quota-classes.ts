import type { Offering } from '../../../api/offering.ts'
import type { QuotaClass } from '../../../api/rules/capacity/what-closes.ts'

/**
 * IBM counts spot instances by the piece, and of all others the processors, the memory and the GPUs. Its refusal does
 * not say which of them it was: a profile with GPUs says nothing about profiles without.
 */
export function quotaClassOf({ capacityType, instanceType }: Offering): QuotaClass {
  if (capacityType === 'Spot') return { name: 'spot', size: 1 }
  const [, processors = '1', gpus] = /-(\d+)x\d+(?:x(\d+))?/.exec(instanceType) ?? []
  return gpus === undefined ? { name: 'standard', size: Number(processors) } : { name: 'gpu', size: Number(gpus) }
}
