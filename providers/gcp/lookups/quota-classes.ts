import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import type { Offering } from '../../../api/offering.ts'
import type { QuotaClass } from '../../../api/rules/capacity/what-closes.ts'
import { acceleratorsOf } from '../launch/options.ts'
import { customTypeFacts } from './facts.ts'

/**
 * GCE counts processors by series, and accelerators by model. Spot instances have quotas of their own only where the
 * project was granted them, so theirs are told apart by series too: a refusal may hold back too little and cost a call,
 * and never too much.
 */
export function quotaClassOf({ instanceType }: Offering, spec: GCPMachineSpec): QuotaClass {
  const [added] = acceleratorsOf(spec)
  if (added) return { name: added.type, size: added.count }
  const [series = '', kind = ''] = instanceType.split('-')
  const accelerators = acceleratorsIn(instanceType)
  if (accelerators !== undefined) return { name: `${series}-${kind}`, size: accelerators }
  return { name: sharing.has(series) ? 'cpus' : series, size: processorsOf(instanceType) }
}

/** The series that share the quota `CPUS`; a custom type without a series is N1. */
const sharing: ReadonlySet<string> = new Set(['custom', 'e2', 'f1', 'g1', 'n1'])

/** `a2-highgpu-4g` and `ct5lp-hightpu-4t` say it; of G2 and G4 the number of processors does. */
function acceleratorsIn(type: string): number | undefined {
  const said = /-(\d+)[gt]$/.exec(type)?.[1]
  if (said !== undefined) return Number(said)
  const [, series, processors] = /^(g[24])-[a-z]+-(\d+)/.exec(type) ?? []
  if (series === undefined) return undefined
  return series === 'g2' ? (l4[Number(processors)] ?? 1) : Math.max(1, Math.floor(Number(processors) / 48))
}

/** How many L4 the larger types of G2 have; all others have one. */
const l4: Readonly<Record<number, number>> = { 24: 2, 48: 4, 96: 8 }

/** A type without a number shares its core, and is the smallest. */
function processorsOf(type: string): number {
  return customTypeFacts(type)?.cpus ?? Number(/^[a-z0-9]+-[a-z]+-(\d+)/.exec(type)?.[1] ?? 1)
}
