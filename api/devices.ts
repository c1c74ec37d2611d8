/** The resource under which the maker's device plugin advertises GPUs, by the maker as clouds write it. */
const byMaker: ReadonlyMap<string, string> = new Map([
  ['nvidia', 'nvidia.com/gpu'],
  ['amd', 'amd.com/gpu'],
  ['intel', 'habana.ai/gaudi'],
])

/** Accelerators that are no GPUs. */
export const tpuResource = 'google.com/tpu'
export const neuronResource = 'aws.amazon.com/neuron'

/** Undefined: no pod can ask for them. */
export function gpuResource(maker: string): string | undefined {
  return byMaker.get(maker.toLowerCase())
}

export interface Devices {
  /** Undefined: no pod can ask for them. */
  readonly resource: string | undefined
  readonly count: number
}

/** How many devices of each resource there are. */
export function countDevices(all: readonly Devices[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { resource, count } of all) {
    if (resource !== undefined && count > 0) counts[resource] = (counts[resource] ?? 0) + count
  }
  return counts
}
