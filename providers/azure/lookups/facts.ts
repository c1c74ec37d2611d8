import type { Sku } from '../wire/documents.ts'

/** The parts of Azure's description of a size that are read. */
export interface TypeFacts {
  readonly architecture: 'amd64' | 'arm64'
  readonly cpus: number
  readonly memoryMiB: number
  readonly gpus: number
  readonly hasAcceleratedNetworking: boolean
}

export function typeFacts({ capabilities = [] }: Sku): TypeFacts {
  const value = (capability: string) => capabilities.find(({ name }) => name === capability)?.value
  const number = (capability: string) => Number(value(capability) ?? 0) || 0
  return {
    architecture: value('CpuArchitectureType')?.toLowerCase() === 'arm64' ? 'arm64' : 'amd64',
    // Some sizes offer fewer processors than their hardware has.
    cpus: number('vCPUsAvailable') || number('vCPUs'),
    memoryMiB: Math.round(number('MemoryGB') * 1024),
    gpus: Math.floor(number('GPUs')),
    hasAcceleratedNetworking: value('AcceleratedNetworkingEnabled')?.toLowerCase() === 'true',
  }
}
