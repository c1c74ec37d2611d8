/**
 * One row of Azure's catalogue of sizes, with what matters to a node. Prices in dollars an hour, near the real ones.
 */
export interface InstanceType {
  readonly name: string
  /** Its family, as quotas call it. */
  readonly family: string
  readonly cpus: number
  readonly memoryMiB: number
  readonly architecture: 'x64' | 'Arm64'
  readonly hasSpot: boolean
  /** The zones where it is offered. */
  readonly zones: readonly string[]
  readonly price: { readonly onDemand: number; readonly spot: number }
  readonly interfaces: number
  /** Whether an interface may go past the host's switch. */
  readonly hasAcceleratedNetworking: boolean
  readonly dataDisks: number
  /** What an operating system disk on the host itself may have. */
  readonly ephemeralDiskGB: number | undefined
  readonly gpus: number
}

const everywhere = ['1', '2', '3']

function row(name: string, family: string, [cpus, memoryGiB]: readonly [number, number], price: number): InstanceType {
  return {
    name,
    family: `standard${family}Family`,
    cpus,
    memoryMiB: memoryGiB * 1024,
    architecture: 'x64',
    hasSpot: true,
    zones: everywhere,
    price: { onDemand: price, spot: Math.round(price * 0.2 * 1e5) / 1e5 },
    interfaces: cpus >= 4 ? 4 : 2,
    hasAcceleratedNetworking: true,
    dataDisks: 2 * cpus,
    ephemeralDiskGB: undefined,
    gpus: 0,
  }
}

export const instanceTypes: readonly InstanceType[] = [
  row('Standard_D2s_v5', 'DSv5', [2, 8], 0.096),
  row('Standard_D4s_v5', 'DSv5', [4, 16], 0.192),
  row('Standard_D8s_v5', 'DSv5', [8, 32], 0.384),
  row('Standard_D2as_v5', 'DASv5', [2, 8], 0.086),
  row('Standard_E2s_v5', 'ESv5', [2, 16], 0.126),
  row('Standard_F2s_v2', 'FSv2', [2, 4], 0.085),
  { ...row('Standard_D2ds_v5', 'DDSv5', [2, 8], 0.113), ephemeralDiskGB: 75 },
  { ...row('Standard_D4ds_v5', 'DDSv5', [4, 16], 0.226), ephemeralDiskGB: 150 },
  { ...row('Standard_D2ps_v5', 'DPSv5', [2, 8], 0.077), architecture: 'Arm64' },
  { ...row('Standard_NC4as_T4_v3', 'NCASv3_T4', [4, 28], 0.526), gpus: 1, zones: ['1', '2'], ephemeralDiskGB: 176 },
  { ...row('Standard_NC64as_T4_v3', 'NCASv3_T4', [64, 440], 4.352), gpus: 4, zones: ['1', '2'] },
  // There is no spot market for these, and they are too small for much else.
  { ...row('Standard_B2s', 'BS', [2, 4], 0.0416), hasSpot: false, hasAcceleratedNetworking: false },
]

export function instanceTypeCalled(name: string): InstanceType | undefined {
  return instanceTypes.find((type) => type.name.toLowerCase() === name.toLowerCase())
}
