import type { Restriction, Sku } from '../wire/documents.ts'

/** The parts of Azure's description of a size that are read. */
export interface TypeFacts {
  readonly architecture: 'amd64' | 'arm64'
  readonly cpus: number
  readonly memoryMiB: number
  readonly gpus: number
  readonly hasAcceleratedNetworking: boolean
  /** Where this subscription can buy it: in these zones, and without a zone if `isSold`. */
  readonly zones: readonly string[]
  readonly isSold: boolean
  readonly hasSpot: boolean
}

export function typeFacts({ capabilities = [], locationInfo = [], restrictions }: Sku): TypeFacts {
  const value = (capability: string) => capabilities.find(({ name }) => name === capability)?.value
  const number = (capability: string) => Number(value(capability) ?? 0) || 0
  return {
    architecture: value('CpuArchitectureType')?.toLowerCase() === 'arm64' ? 'arm64' : 'amd64',
    // Some sizes offer fewer processors than their hardware has.
    cpus: number('vCPUsAvailable') || number('vCPUs'),
    memoryMiB: Math.round(number('MemoryGB') * 1024),
    gpus: Math.floor(number('GPUs')),
    hasAcceleratedNetworking: value('AcceleratedNetworkingEnabled')?.toLowerCase() === 'true',
    zones: locationInfo
      .flatMap(({ zones }) => zones ?? [])
      .filter((zone) => !(restrictions ?? []).some((one) => isRestricted(one, zone))),
    isSold: !(restrictions ?? []).some(({ type }) => type?.toLowerCase() === 'location'),
    // A size that says nothing is left to Azure's refusal.
    hasSpot: value('LowPriorityCapable')?.toLowerCase() !== 'false',
  }
}

/** A restriction of the location is one of all its zones. */
function isRestricted({ type, restrictionInfo }: Restriction, zone: string): boolean {
  return type?.toLowerCase() === 'location' || (restrictionInfo?.zones ?? []).includes(zone)
}
