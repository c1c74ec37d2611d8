import type { Json } from '../../kit/http/decode-json.ts'
import { fingerprintOf, gceTime } from '../ids.ts'
import { pathOfInstance, type AttachedDisk, type InstanceVersion, type NetworkInterface } from './instance.ts'
import { linkTo } from '../references.ts'
import type { World } from '../world.ts'

/** Versions never change: what was once written can be written again. */
const written = new WeakMap<InstanceVersion, Json>()

/** An instance as GCE shows it: with all that its metadata holds, bootstrap data too. */
export function writeInstance(instance: InstanceVersion, world: World): Json {
  const before = written.get(instance)
  if (before) return before
  const json = write(instance, world)
  written.set(instance, json)
  return json
}

function write(instance: InstanceVersion, world: World): Json {
  const { plan, createdAt, startedAt, stoppedAt } = instance
  const { settings, zone, labels } = plan
  const zonePath = `projects/${world.project}/zones/${zone.name}`
  const { tags, canIpForward, isProtected, ...rest } = settings
  return {
    kind: 'compute#instance',
    id: instance.id,
    creationTimestamp: gceTime(createdAt),
    name: plan.name,
    tags: { ...(tags.length > 0 && { items: tags }), fingerprint: fingerprintOf(tags) },
    machineType: linkTo(`${zonePath}/machineTypes/${plan.machineType.name}`),
    status: instance.status,
    zone: linkTo(zonePath),
    canIpForward,
    networkInterfaces: instance.interfaces.map((one) => writeInterface(one, world)),
    disks: instance.disks.map((one, at) => writeDisk(one, at, zonePath)),
    metadata: {
      kind: 'compute#metadata',
      fingerprint: fingerprintOf(plan.metadata),
      ...(plan.metadata.length > 0 && { items: plan.metadata }),
    },
    selfLink: linkTo(pathOfInstance(instance, world.project)),
    scheduling: writeScheduling(instance),
    cpuPlatform: startedAt === undefined ? 'Unknown CPU Platform' : 'Intel Broadwell',
    ...(Object.keys(labels).length > 0 && { labels }),
    labelFingerprint: fingerprintOf(labels),
    ...(plan.accelerators.length > 0 && {
      guestAccelerators: plan.accelerators.map(({ type, count }) => ({
        acceleratorType: linkTo(`${zonePath}/acceleratorTypes/${type}`),
        acceleratorCount: count,
      })),
    }),
    startRestricted: false,
    deletionProtection: isProtected,
    ...rest,
    fingerprint: fingerprintOf([instance.id, instance.version]),
    ...(startedAt !== undefined && { lastStartTimestamp: gceTime(startedAt) }),
    ...(stoppedAt !== undefined && { lastStopTimestamp: gceTime(stoppedAt) }),
  }
}

function writeScheduling({ plan: { scheduling } }: InstanceVersion): Json {
  const { terminationAction, noticeSeconds, onHostMaintenance, automaticRestart, preemptible } = scheduling
  return {
    onHostMaintenance,
    automaticRestart,
    preemptible,
    provisioningModel: scheduling.provisioningModel,
    ...(terminationAction && { instanceTerminationAction: terminationAction }),
    ...(noticeSeconds !== undefined && { preemptionNoticeDuration: { seconds: String(noticeSeconds) } }),
  }
}

function writeInterface(one: NetworkInterface, { project }: World): Json {
  const { subnetwork, privateAddress, publicAddress, isPublic, aliases, nicType } = one
  return {
    kind: 'compute#networkInterface',
    network: linkTo(`projects/${project}/global/networks/${subnetwork.network}`),
    subnetwork: linkTo(`projects/${project}/regions/${subnetwork.region}/subnetworks/${subnetwork.name}`),
    ...(privateAddress !== undefined && { networkIP: privateAddress }),
    name: one.name,
    ...(isPublic && {
      accessConfigs: [
        {
          kind: 'compute#accessConfig',
          type: 'ONE_TO_ONE_NAT',
          name: 'external-nat',
          ...(publicAddress !== undefined && { natIP: publicAddress }),
          networkTier: 'PREMIUM',
        },
      ],
    }),
    ...(aliases.length > 0 && { aliasIpRanges: aliases }),
    ...(nicType !== undefined && { nicType }),
    fingerprint: fingerprintOf([subnetwork.id, privateAddress]),
    stackType: 'IPV4_ONLY',
  }
}

function writeDisk({ plan, disk }: AttachedDisk, index: number, zonePath: string): Json {
  return {
    kind: 'compute#attachedDisk',
    type: plan.isScratch ? 'SCRATCH' : 'PERSISTENT',
    mode: plan.mode,
    ...(disk && { source: linkTo(`${zonePath}/disks/${plan.name}`) }),
    deviceName: plan.deviceName,
    index,
    boot: plan.isBoot,
    autoDelete: plan.autoDelete,
    interface: plan.interface,
    diskSizeGb: String(plan.sizeGb),
    ...(plan.image && { architecture: plan.image.architecture }),
  }
}
