import type { GceMachineType } from './resources.ts'

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

/** Custom types are in no list; their names say what they are: `n2-custom-4-8192`. Undefined: it is none. */
export function customTypeFacts(name: string): TypeFacts | undefined {
  const [, cpus, memoryMiB] = /^(?:[a-z0-9]+-)?custom-(\d+)-(\d+)(?:-ext)?$/.exec(name) ?? []
  if (cpus === undefined || memoryMiB === undefined) return undefined
  return { architecture: 'amd64', cpus: Number(cpus), memoryMiB: Number(memoryMiB), accelerators: [] }
}
