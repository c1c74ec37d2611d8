import type { Action } from '../http/action.ts'
import type { Account } from '../account.ts'
import { instanceProfiles, isOfferedIn, type InstanceProfile } from '../supply/instance-profiles.ts'
import { listing } from '../http/listing.ts'
import { zoneReference, type Base } from '../http/write.ts'

/** From this version on the list comes in pages. */
const pagedSince = '2026-04-07'

const fixed = <T>(value: T) => ({ type: 'fixed', value })
const choice = <T>([first, ...others]: readonly T[]) => ({ type: 'enum', default: first, values: [first, ...others] })

export const instanceProfileActions: readonly Action[] = listing<InstanceProfile>({
  names: ['list_instance_profiles', 'get_instance_profile'],
  path: '/v1/instance/profiles',
  collection: 'profiles',
  called: 'Instance profile',
  items: () => instanceProfiles,
  isPaged: ({ version }) => version >= pagedSince,
  idOf: ({ name }) => name,
  write: (profile, { base }, account) => writeProfile(profile, base, account),
})

function writeProfile(profile: InstanceProfile, base: Base, account: Account) {
  const { name, family, status, classes, bandwidth, memoryGiB, cpus, diskGB, percentages, architecture } = profile
  const [availability] = classes
  return {
    name,
    family,
    status,
    href: `${base.url}/instance/profiles/${name}`,
    resource_type: 'instance_profile',
    availability_class: classes.length > 1 ? choice(classes) : fixed(availability),
    bandwidth: fixed(bandwidth),
    cluster_network_attachment_count: choice([0]),
    confidential_compute_modes: choice(['disabled']),
    disks: diskGB === undefined ? [] : [writeDisk(diskGB)],
    memory: fixed(memoryGiB),
    network_attachment_count: { type: 'range', min: 1, max: cpus >= 16 ? 15 : 5 },
    network_bandwidth_mode: fixed('pooled'),
    network_interface_count: { type: 'range', min: 1, max: cpus >= 16 ? 15 : 5 },
    numa_count: fixed(1),
    os_architecture: choice([architecture]),
    port_speed: fixed(16_000),
    reservation_terms: { type: 'enum', values: classes.includes('standard') ? ['one_year', 'three_year'] : [] },
    secure_boot_modes: choice([false, true]),
    supported_cluster_network_profiles: [],
    threads_per_core: choice([2, 1]),
    total_volume_bandwidth: { type: 'range', default: bandwidth / 4, min: 500, max: bandwidth - 500, step: 1 },
    vcpu_architecture: fixed(architecture),
    vcpu_burst_limit: fixed(Math.max(...percentages)),
    // Since September 2026 the one says what the other did.
    ...(account.switches.behaviour.vcpuCount === 'enum'
      ? { vcpu_count: choice([cpus]) }
      : { vcpu_count: fixed(cpus), supported_vcpu_count: choice([cpus]) }),
    vcpu_manufacturer: fixed(architecture === 's390x' ? 'ibm' : 'intel'),
    vcpu_percentage: { type: 'enum', default: 100, values: percentages },
    volume_bandwidth_qos_modes: choice(['weighted', 'pooled']),
    zones: account.world.zones
      .filter((zone) => isOfferedIn(profile, zone.name))
      .map((zone) => zoneReference(zone, base)),
    ...writeGpu(profile),
  }
}

function writeGpu({ gpu }: InstanceProfile) {
  return (
    gpu && {
      gpu_count: fixed(gpu.count),
      gpu_manufacturer: { type: 'enum', values: [gpu.maker.toLowerCase()] },
      gpu_memory: fixed(gpu.memoryGiB),
      gpu_model: { type: 'enum', values: [gpu.model] },
    }
  )
}

function writeDisk(size: number) {
  return {
    quantity: fixed(1),
    size: fixed(size),
    supported_interface_types: { type: 'enum', default: 'virtio_blk', values: ['virtio_blk', 'nvme'] },
  }
}
