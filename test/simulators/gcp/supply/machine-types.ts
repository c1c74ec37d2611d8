/** One row of GCE's catalogue, with what matters to a node. */
export interface MachineType {
  readonly id: string
  readonly name: string
  readonly cpus: number
  readonly memoryMiB: number
  readonly architecture: 'X86_64' | 'ARM64'
  /** Letters of the zones where it is offered. */
  readonly zoneLetters: string
  readonly isShared: boolean
  /** Newer types take no other disks. */
  readonly onlyHyperdisks: boolean
  /** Those that are part of the type. */
  readonly accelerators: readonly { readonly type: string; readonly count: number }[]
}

const everywhere = 'abcdef'

const rows: readonly (readonly [name: string, cpus: number, memoryGiB: number, more?: Partial<MachineType>])[] = [
  ['e2-medium', 2, 4, { isShared: true }],
  ['e2-standard-2', 2, 8],
  ['e2-standard-4', 4, 16],
  ['n1-standard-1', 1, 3.75],
  ['n1-standard-4', 4, 15],
  ['n2-standard-2', 2, 8],
  ['n2-standard-4', 4, 16],
  ['n2d-standard-2', 2, 8],
  ['n2d-standard-4', 4, 16],
  ['c3-standard-4', 4, 16],
  ['t2a-standard-2', 2, 8, { architecture: 'ARM64', zoneLetters: 'abf' }],
  ['c4a-standard-4', 4, 16, { architecture: 'ARM64', onlyHyperdisks: true }],
  ['g2-standard-4', 4, 16, { accelerators: [{ type: 'nvidia-l4', count: 1 }], zoneLetters: 'abc' }],
  ['g2-standard-24', 24, 96, { accelerators: [{ type: 'nvidia-l4', count: 2 }], zoneLetters: 'abc' }],
  ['a2-highgpu-1g', 12, 85, { accelerators: [{ type: 'nvidia-tesla-a100', count: 1 }], zoneLetters: 'acf' }],
]

export const machineTypes: readonly MachineType[] = rows.map(([name, cpus, memoryGiB, more = {}], at) => ({
  id: `40000000000000${String(at).padStart(5, '0')}`,
  name,
  cpus,
  memoryMiB: memoryGiB * 1024,
  architecture: 'X86_64',
  zoneLetters: everywhere,
  isShared: false,
  onlyHyperdisks: false,
  accelerators: [],
  ...more,
}))

/** Accelerators, each with the largest number that one instance can have. */
export interface AcceleratorType {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly most: number
  readonly zoneLetters: string
}

export const acceleratorTypes: readonly AcceleratorType[] = [
  { id: '5000000000000000001', name: 'nvidia-tesla-t4', description: 'NVIDIA T4', most: 4, zoneLetters: 'abcf' },
  { id: '5000000000000000002', name: 'nvidia-l4', description: 'NVIDIA L4', most: 8, zoneLetters: 'abc' },
  { id: '5000000000000000003', name: 'nvidia-tesla-a100', description: 'NVIDIA A100', most: 16, zoneLetters: 'acf' },
]

export function isOfferedIn({ zoneLetters }: { readonly zoneLetters: string }, zone: string): boolean {
  return zoneLetters.includes(zone.slice(-1))
}
