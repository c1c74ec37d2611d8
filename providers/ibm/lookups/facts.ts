import { countDevices, gpuResource } from '../../../api/devices.ts'
import type { VpcImage, VpcNumber, VpcProfile, VpcSubnet } from '../wire/documents.ts'

/** The parts of IBM's descriptions that are read. */
export interface ProfileFacts {
  readonly name: string
  /** The availability classes in which it is sold. */
  readonly classes: readonly string[]
  /** The class in which it is sold when none is asked for. */
  readonly usualClass: string
  readonly architecture: string
  readonly cpus: number
  /** The share of the processors that an instance gets by default: 100 but for burstable profiles. */
  readonly percentage: number
  readonly memoryGiB: number
  /** How many devices of each kind that a pod can ask for, by the name of the resource. */
  readonly devices: Readonly<Record<string, number>>
  /** The zones with such hardware; empty where IBM does not say. */
  readonly zones: readonly string[]
}

export interface ImageFacts {
  readonly id: string
  readonly isPrivate: boolean
  readonly architecture: string | undefined
  readonly isWindows: boolean
  /** ISO 8601, so that the later one is the greater text. */
  readonly created: string
  /** Where it can be used: everywhere, or in these zones. */
  readonly usable: 'everywhere' | readonly string[]
}

export interface Subnet {
  readonly id: string
  readonly zone: string
  /** Undefined where it is not known yet. */
  readonly vpc: string | undefined
}

export function profileFacts(from: VpcProfile): ProfileFacts {
  const { values, value = 'standard', default: usual } = from.availability_class ?? {}
  const classes = values ?? [value]
  return {
    name: from.name,
    classes,
    usualClass: usual ?? (classes.includes('standard') ? 'standard' : (classes[0] ?? value)),
    architecture: from.vcpu_architecture.value ?? 'amd64',
    cpus: numberOf(from.vcpu_count),
    percentage: from.vcpu_percentage ? numberOf(from.vcpu_percentage) : 100,
    memoryGiB: numberOf(from.memory),
    devices: devicesOf(from),
    zones: (from.zones ?? []).map(({ name }) => name),
  }
}

/** The fixed number, else the default. */
function numberOf({ value, default: usual, min }: VpcNumber): number {
  return value ?? usual ?? min ?? 0
}

function devicesOf({ gpu_count: gpus, gpu_manufacturer: maker }: VpcProfile): Record<string, number> {
  return countDevices([{ resource: gpuResource(maker?.values?.[0] ?? ''), count: gpus ? numberOf(gpus) : 0 }])
}

export function imageFacts({
  id,
  visibility,
  created_at: created = '',
  operating_system: os,
  ...image
}: VpcImage): ImageFacts {
  return {
    id,
    isPrivate: visibility !== 'public',
    architecture: os?.architecture,
    isWindows: /windows/i.test(`${os?.family ?? ''} ${os?.name ?? ''}`),
    created,
    usable: usableIn(image),
  }
}

/** A deprecated image can still be used. */
function usableIn({ status, zones = [] }: Pick<VpcImage, 'status' | 'zones'>): 'everywhere' | readonly string[] {
  if (status === 'available' || status === 'deprecated') return 'everywhere'
  return status === 'partially_available' ? zones.map(({ name }) => name) : []
}

export function subnetFacts({ id, zone, vpc }: VpcSubnet): Subnet {
  return { id, zone: zone.name, vpc: vpc.id }
}
