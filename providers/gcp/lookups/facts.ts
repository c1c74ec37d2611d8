import type { GceMachineType } from '../wire/documents.ts'

/** The parts of GCE's description of a machine type that are read. */
export interface TypeFacts {
  readonly architecture: 'amd64' | 'arm64'
  readonly cpus: number
  readonly memoryMiB: number
  /** Accelerators that are part of the type. */
  readonly accelerators: readonly { readonly type: string; readonly count: number }[]
}

export function typeFacts({ architecture, guestCpus, memoryMb, accelerators = [] }: GceMachineType): TypeFacts {
  return {
    architecture: architecture === 'ARM64' ? 'arm64' : 'amd64',
    cpus: guestCpus ?? 0,
    memoryMiB: memoryMb ?? 0,
    accelerators: accelerators.map(({ guestAcceleratorType = '', guestAcceleratorCount = 0 }) => ({
      type: guestAcceleratorType,
      count: guestAcceleratorCount,
    })),
  }
}

/**
 * Custom types are in no list, but their names describe them: `n2-custom-4-8192`, or `e2-custom-medium-4096` with a
 * part of two processors. Undefined: the type is no custom type.
 */
export function customTypeFacts(name: string): TypeFacts | undefined {
  const [, series = '', size, memoryMiB] =
    /^(?:([a-z0-9]+)-)?custom-([1-9]\d*|micro|small|medium)-(\d+)(?:-ext)?$/.exec(name) ?? []
  if (size === undefined || memoryMiB === undefined) return undefined
  const cpus = Number(size) || sharedCoreCpus
  return {
    architecture: armSeries.test(series) ? 'arm64' : 'amd64',
    cpus,
    memoryMiB: Number(memoryMiB),
    accelerators: [],
  }
}

/** The number that GCE shows for every type that shares its core. */
const sharedCoreCpus = 2
/** Such as t2a, c4a and n4a. */
const armSeries = /^[cnt][0-9]+a$/

/**
 * Types whose instances GCE never moves to another host: types with their own accelerators, H4D, and bare metal. The
 * CRD has the same pattern.
 */
export const neverMoved = /^(a[2-9]x?|g[24]|ct[0-9][a-z0-9]*|tpu[0-9][a-z0-9]*|h4d)-|-metal$/
