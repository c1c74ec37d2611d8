import type { GceMachineType } from '../wire/documents.ts'

/** What we keep of GCE's description of a machine type: what somebody reads. */
export interface TypeFacts {
  readonly architecture: 'amd64' | 'arm64'
  readonly cpus: number
  readonly memoryMiB: number
  /** Those that are part of the type. */
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
 * Custom types are in no list; their names say what they are: `n2-custom-4-8192`, or `e2-custom-medium-4096` with a
 * part of two processors. Undefined: it is none.
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

/** What GCE shows of every type that shares its core. */
const sharedCoreCpus = 2
/** Such as t2a, c4a and n4a. */
const armSeries = /^[cnt][0-9]+a$/

/**
 * Types of which GCE moves no instance to another host, by their names: those with accelerators of their own, H4D, and
 * bare metal. The CRD has the same pattern.
 */
export const neverMoved = /^(a[2-9]x?|g[24]|ct[0-9][a-z0-9]*|tpu[0-9][a-z0-9]*|h4d)-|-metal$/
