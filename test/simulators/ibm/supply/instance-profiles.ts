import type { Resource } from '../ids.ts'

/** A row of IBM's catalogue, with what matters to a node. */
export interface InstanceProfile extends Resource {
  readonly family: string
  readonly cpus: number
  readonly memoryGiB: number
  readonly architecture: 'amd64' | 's390x'
  /** Which availability classes it has; the first is meant when nothing is said. */
  readonly classes: readonly [AvailabilityClass, ...AvailabilityClass[]]
  /** Numbers of the zones that have such hardware. */
  readonly zoneNumbers: string
  readonly status: 'current' | 'previous'
  /** In megabits a second. */
  readonly bandwidth: number
  readonly gpu?: { readonly count: number; readonly maker: string; readonly model: string; readonly memoryGiB: number }
  /** Instance storage. */
  readonly diskGB?: number
  /** The shares of a processor that it can be had with. */
  readonly percentages: readonly number[]
}

export type AvailabilityClass = 'spot' | 'standard'

const everywhere = '123'
const standard = ['standard'] as const
const both = ['standard', 'spot'] as const

function row(name: string, family: string, over: Partial<InstanceProfile> = {}): InstanceProfile {
  const [, cpus = '', memory = ''] = /-(\d+)x(\d+)/.exec(name) ?? []
  return {
    id: name,
    name,
    family,
    cpus: Number(cpus),
    memoryGiB: Number(memory),
    architecture: 'amd64',
    classes: standard,
    zoneNumbers: everywhere,
    status: 'current',
    bandwidth: Math.min(200_000, 2000 * Number(cpus)),
    percentages: [100],
    ...over,
  }
}

function flex(name: string, family: string): InstanceProfile {
  return row(name, family, { classes: both, percentages: [10, 25, 50, 100] })
}

function gpus(name: string, gpu: NonNullable<InstanceProfile['gpu']>, over: Partial<InstanceProfile> = {}) {
  return row(name, 'gpu', { gpu, classes: both, zoneNumbers: '13', ...over })
}

const nvidia = (model: string, memoryGiB: number, count: number) => ({ maker: 'NVIDIA', model, memoryGiB, count })

/** IBM decides by profile who may be spot: flex and GPU profiles may, the numbered generations may not. */
export const instanceProfiles: readonly InstanceProfile[] = [
  row('bx2-2x8', 'balanced', { status: 'previous' }),
  row('bx2-4x16', 'balanced', { status: 'previous' }),
  row('cx2-2x4', 'compute', { status: 'previous' }),
  row('mx2-2x16', 'memory', { status: 'previous' }),
  row('bx3d-2x10', 'balanced', { diskGB: 65 }),
  row('bx3d-4x20', 'balanced', { diskGB: 130 }),
  row('bx3d-8x40', 'balanced', { diskGB: 260 }),
  row('cx3d-2x5', 'compute', { diskGB: 65 }),
  row('mx3d-2x20', 'memory', { diskGB: 65 }),
  row('bz2-2x8', 'balanced', { architecture: 's390x' }),
  flex('bxf-2x8', 'balanced'),
  flex('bxf-4x16', 'balanced'),
  flex('bxf-8x32', 'balanced'),
  flex('cxf-2x4', 'compute'),
  flex('cxf-4x8', 'compute'),
  flex('mxf-2x16', 'memory'),
  flex('mxf-4x32', 'memory'),
  flex('nxf-1x4', 'nano'),
  gpus('gx2-8x64x1v100', nvidia('Tesla V100', 16, 1), { status: 'previous' }),
  gpus('gx3-16x80x1l4', nvidia('L4', 24, 1)),
  gpus('gx3-32x160x2l4', nvidia('L4', 48, 2)),
  gpus('gx3-24x120x1l40s', nvidia('L40S', 48, 1)),
  gpus('gx3-48x240x2l40s', nvidia('L40S', 96, 2)),
  gpus('gx3d-160x1792x8h100', nvidia('H100', 640, 8), { zoneNumbers: '1', diskGB: 61_440 }),
  // The API knows profiles that are spot and nothing else; none of IBM's own is documented as such.
  gpus('gx3-64x320x4l4', nvidia('L4', 96, 4), { classes: ['spot'] }),
]

/** What an instance gets that says nothing. */
export const usualProfile = 'bxf-2x8'

export function isOfferedIn({ zoneNumbers }: InstanceProfile, zone: string): boolean {
  return zoneNumbers.includes(zone.slice(-1))
}
