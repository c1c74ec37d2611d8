/** The quotas for running instances, by the families that they are for. */
export const quotaNames = ['standard', 'g', 'inf', 'high-memory'] as const
export type QuotaName = (typeof quotaNames)[number]

/** One row of EC2's catalogue, with what matters to a node. Prices in dollars an hour, near the real ones. */
export interface InstanceType {
  readonly name: string
  readonly cpus: number
  readonly memoryMiB: number
  readonly architecture: 'x86_64' | 'arm64'
  readonly quota: QuotaName
  readonly usageClasses: readonly ('on-demand' | 'spot')[]
  /** Letters of the zones where it is offered. */
  readonly zoneLetters: string
  readonly price: { readonly onDemand: number; readonly spot: number }
  readonly interfaces: number
  readonly addressesPerInterface: number
  readonly gpu?: { readonly count: number; readonly maker: string; readonly model: string; readonly memoryMiB: number }
  readonly neuron?: { readonly devices: number; readonly coresPerDevice: number }
  readonly localDiskGB?: number
  /** Takes an Elastic Fabric Adapter. */
  readonly hasEfa?: boolean
}

const everywhere = 'abcdef'
const both = ['on-demand', 'spot'] as const

function row(name: string, cpus: number, memoryGiB: number, prices: readonly [number, number]): InstanceType {
  return {
    name,
    cpus,
    memoryMiB: memoryGiB * 1024,
    architecture: /^[a-z]+\d+g[a-z]*\./.test(name) ? 'arm64' : 'x86_64',
    quota: quotaOf(name),
    usageClasses: both,
    zoneLetters: everywhere,
    price: { onDemand: prices[0], spot: prices[1] },
    interfaces: cpus >= 4 ? 4 : 3,
    addressesPerInterface: cpus >= 4 ? 15 : 10,
  }
}

function quotaOf(name: string): QuotaName {
  if (/^g\d/.test(name)) return 'g'
  if (/^inf\d/.test(name)) return 'inf'
  return name.startsWith('u-') ? 'high-memory' : 'standard'
}

const t4 = { maker: 'NVIDIA', model: 'T4', memoryMiB: 16_384 }
const a10g = { maker: 'NVIDIA', model: 'A10G', memoryMiB: 22_888 }

export const instanceTypes: readonly InstanceType[] = [
  row('t3.medium', 2, 4, [0.0416, 0.0155]),
  row('t3.large', 2, 8, [0.0832, 0.0311]),
  row('m5.large', 2, 8, [0.096, 0.0384]),
  row('m5.xlarge', 4, 16, [0.192, 0.0771]),
  row('m5a.large', 2, 8, [0.086, 0.0342]),
  row('m6i.large', 2, 8, [0.096, 0.0391]),
  row('m6i.xlarge', 4, 16, [0.192, 0.0785]),
  row('c5.large', 2, 4, [0.085, 0.0347]),
  row('c6i.xlarge', 4, 8, [0.17, 0.0692]),
  row('r5.large', 2, 16, [0.126, 0.0412]),
  row('m6g.large', 2, 8, [0.077, 0.0308]),
  row('m7g.large', 2, 8, [0.0816, 0.0334]),
  { ...row('c5n.18xlarge', 72, 192, [3.888, 1.3]), hasEfa: true },
  { ...row('m5d.large', 2, 8, [0.113, 0.0429]), localDiskGB: 75 },
  { ...row('g4dn.xlarge', 4, 16, [0.526, 0.1989]), gpu: { ...t4, count: 1 }, localDiskGB: 125 },
  { ...row('g5.xlarge', 4, 16, [1.006, 0.4224]), gpu: { ...a10g, count: 1 }, localDiskGB: 250, zoneLetters: 'ab' },
  { ...row('g5.12xlarge', 48, 192, [5.672, 2.3822]), gpu: { ...a10g, count: 4 }, zoneLetters: 'ab' },
  { ...row('inf2.xlarge', 4, 16, [0.7582, 0.2653]), neuron: { devices: 1, coresPerDevice: 2 }, zoneLetters: 'ac' },
  // On demand only: there is no spot market for these.
  { ...row('u-3tb1.56xlarge', 224, 3072, [27.3, 0]), usageClasses: ['on-demand'], zoneLetters: 'ab' },
]

export function isOfferedIn(type: InstanceType, zone: string): boolean {
  return type.zoneLetters.includes(zone.slice(-1))
}
