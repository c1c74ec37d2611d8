import type { Account } from '../account.ts'
import { kinds } from '../ids.ts'
import { bootVolume, primaryInterface, type InstanceVersion } from './instance.ts'
import type { NetworkInterface } from './interfaces.ts'
import { statusOf } from '../supply/reservations.ts'
import type { VolumeAttachment } from './volumes.ts'
import {
  hrefOf,
  reference,
  reservedIpReference,
  resourceGroupReference,
  time,
  zoneReference,
  type Base,
} from '../http/write.ts'

/** Until it has a place. */
const noAddress = '0.0.0.0'

/** An instance as IBM answers with it: every property that IBM's own SDKs need to read it. */
export function writeInstance(instance: InstanceVersion, base: Base, account: Account): object {
  const { plan, metadata, policy } = instance
  const { profile, settings, image } = plan
  const volumeBandwidth = settings.volumeBandwidth ?? profile.bandwidth / 4
  return {
    ...reference(kinds.instance, instance, base),
    created_at: time(instance.createdAt),
    ...writeState(instance, account.clock.now()),
    availability: { class: instance.availability },
    availability_policy: { host_failure: policy.hostFailure, preemption: policy.preemption },
    ...writeCapacity(instance, base),
    profile: {
      href: `${base.url}/instance/profiles/${profile.name}`,
      name: profile.name,
      resource_type: 'instance_profile',
    },
    zone: zoneReference(instance.zone, base),
    vpc: reference(kinds.vpc, plan.vpc, base),
    resource_group: resourceGroupReference(plan.resourceGroup),
    image: reference(kinds.image, image, base),
    memory: profile.memoryGiB,
    vcpu: writeProcessors(instance),
    ...writeDevices(instance, base),
    threads_per_core: settings.threadsPerCore,
    bandwidth: profile.bandwidth,
    total_volume_bandwidth: volumeBandwidth,
    total_network_bandwidth: profile.bandwidth - volumeBandwidth,
    volume_bandwidth_qos_mode: settings.qosMode,
    confidential_compute_mode: settings.confidentialCompute,
    enable_secure_boot: settings.secureBoot,
    metadata_service: {
      enabled: metadata.enabled,
      protocol: metadata.protocol,
      response_hop_limit: metadata.hopLimit,
    },
    ...writeNetwork(instance, base),
    boot_volume_attachment: attachmentReference(bootVolume(instance), base),
    volume_attachments: instance.volumes.map((one) => attachmentReference(one, base)),
    cluster_network_attachments: [],
    software_attachments: [],
  }
}

function writeState(instance: InstanceVersion, now: number) {
  const { status, reasons, lifecycleState, lifecycleReasons } = instance
  return {
    status,
    status_reasons: reasons,
    lifecycle_state: lifecycleState,
    lifecycle_reasons: lifecycleReasons,
    ...writeHealth(instance, now),
    startable: status === 'stopped' || status === 'failed',
  }
}

/** In VPC health is a matter of reservations, not of what goes on in the guest. */
function writeHealth({ lifecycleState, reservation }: InstanceVersion, now: number) {
  if (lifecycleState !== 'stable') return { health_state: 'inapplicable', health_reasons: [] }
  const status = reservation && statusOf(reservation, now)
  if (!status || status === 'active') return { health_state: 'ok', health_reasons: [] }
  const code = status === 'expired' ? 'reservation_expired' : 'reservation_deleted'
  return { health_state: 'degraded', health_reasons: [{ code, message: `The reservation is ${status}.` }] }
}

function writeCapacity({ affinity, reservation, plan }: InstanceVersion, base: Base) {
  const pool = affinity.pool.map((one) => reference(kinds.reservation, one, base))
  const { placement } = plan
  return {
    reservation_affinity: { policy: affinity.policy, pool },
    ...(reservation && { reservation: reference(kinds.reservation, reservation, base) }),
    ...(placement && { placement_target: reference(kinds[placement.kind], placement.target, base) }),
  }
}

function writeProcessors({ plan: { profile, settings } }: InstanceVersion) {
  const manufacturer = profile.architecture === 's390x' ? 'ibm' : 'intel'
  return { architecture: profile.architecture, count: profile.cpus, manufacturer, percentage: settings.percentage }
}

function writeDevices(instance: InstanceVersion, base: Base) {
  const { createdAt, status, plan } = instance
  const { gpu, diskGB } = plan.profile
  const id = instance.id.replace('_', '-')
  const disk = {
    id,
    created_at: time(createdAt),
    href: `${hrefOf(kinds.instance, instance, base)}/disks/${id}`,
    interface_type: 'virtio_blk',
    name: 'disk-1',
    resource_type: 'instance_disk',
    size: diskGB,
  }
  return {
    disks: diskGB === undefined ? [] : [disk],
    ...(gpu && {
      gpu: { count: gpu.count, manufacturer: gpu.maker.toLowerCase(), memory: gpu.memoryGiB, model: gpu.model },
    }),
    ...(status === 'running' && { numa_count: 1 }),
  }
}

/** With attachments the interfaces of the old kind mirror them, for clients that know no other. */
function writeNetwork(instance: InstanceVersion, base: Base) {
  const primary = primaryInterface(instance)
  const shown = instance.interfaces.map((one) => (instance.isPlaced ? one : { ...one, address: noAddress }))
  const [first = primary] = shown
  const attachments = shown.flatMap((one) => (one.virtual ? [attachedReference(one, base)] : []))
  const [attachment] = attachments
  return {
    primary_network_interface: interfaceReference(first, base),
    network_interfaces: shown.map((one) => interfaceReference(one, base)),
    ...(attachment && { primary_network_attachment: attachment }),
    network_attachments: attachments,
  }
}

function interfaceReference(one: NetworkInterface, base: Base) {
  return {
    href: `${hrefOf(kinds.instance, one.instance, base)}/network_interfaces/${one.id}`,
    id: one.id,
    name: one.name,
    primary_ip: reservedIpReference(one, base),
    resource_type: 'network_interface',
    subnet: reference(kinds.subnet, one.subnet, base),
  }
}

function attachedReference(one: NetworkInterface, base: Base) {
  return {
    ...interfaceReference(one, base),
    href: `${hrefOf(kinds.instance, one.instance, base)}/network_attachments/${one.id}`,
    resource_type: 'instance_network_attachment',
    ...(one.virtual && { virtual_network_interface: reference(kinds.virtualNetworkInterface, one.virtual, base) }),
  }
}

function attachmentReference({ id, name, instance, volume }: VolumeAttachment, base: Base) {
  return {
    device: { id: `${id}-device` },
    href: `${hrefOf(kinds.instance, instance, base)}/volume_attachments/${id}`,
    id,
    name,
    volume: reference(kinds.volume, volume, base),
  }
}

export function etagOf({ id, version }: Pick<InstanceVersion, 'id' | 'version'>): string {
  return `W/"${id.slice(-12)}-${version}"`
}
