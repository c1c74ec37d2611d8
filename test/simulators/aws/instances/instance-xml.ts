import {
  primaryInterface,
  privateDnsName,
  publicDnsName,
  stateCodes,
  type InstanceState,
  type InstanceVersion,
  type MetadataOptions,
  type NetworkInterface,
} from './instance.ts'
import { writeTags } from './tags.ts'
import type { SecurityGroup, World } from '../world.ts'
import { WrittenXml, xmlTime, type Xml, type XmlElement } from '../http/xml.ts'

export function writeState(state: InstanceState): XmlElement {
  return { code: stateCodes[state], name: state }
}

/** Reservations in the order of their first instance here; one may be spread over several pages. */
export function writeReservations(instances: readonly InstanceVersion[], world: World): Xml[] {
  const byReservation = Map.groupBy(instances, ({ reservationId }) => reservationId)
  return [...byReservation].map(([id, theirs]) => writeReservation(id, theirs, world))
}

export function writeReservation(id: string, instances: readonly InstanceVersion[], world: World): XmlElement {
  return {
    reservationId: id,
    ownerId: world.accountId,
    groupSet: [],
    instancesSet: instances.map((instance) => writeInstance(instance, world)),
  }
}

/** Lists of a thousand are asked for every few seconds, and few of the thousand have changed. */
const written = new WeakMap<InstanceVersion, WrittenXml>()

function writeInstance(instance: InstanceVersion, world: World): WrittenXml {
  const before = written.get(instance)
  if (before) return before
  const now = new WrittenXml(instanceElement(instance, world))
  written.set(instance, now)
  return now
}

function instanceElement(instance: InstanceVersion, world: World): XmlElement {
  const { plan } = instance
  return {
    instanceId: instance.id,
    imageId: plan.image.id,
    instanceState: writeState(instance.state),
    ...(instance.state === 'terminated' ? { privateDnsName: '', dnsName: '' } : whereItIs(instance, world)),
    reason: instance.transition,
    keyName: plan.key?.name,
    amiLaunchIndex: instance.index,
    productCodes: [],
    instanceType: plan.type.name,
    launchTime: xmlTime(instance.launchedAt),
    placement: {
      availabilityZone: plan.subnet.zone.name,
      availabilityZoneId: plan.subnet.zone.id,
      groupName: plan.placement.group?.name ?? '',
      groupId: plan.placement.group?.id,
      partitionNumber: plan.placement.partition,
      tenancy: plan.settings.tenancy,
    },
    monitoring: { state: plan.settings.monitoring ? 'enabled' : 'disabled' },
    stateReason: instance.reason && { ...instance.reason },
    architecture: plan.image.architecture,
    rootDeviceType: 'ebs',
    rootDeviceName: plan.image.rootDevice,
    ...whatIsAttached(instance, world),
    virtualizationType: 'hvm',
    clientToken: plan.clientToken,
    instanceLifecycle: plan.market === 'on-demand' ? undefined : plan.market,
    spotInstanceRequestId: instance.spot?.id,
    tagSet: writeTags(instance.tags),
    hypervisor: 'xen',
    iamInstanceProfile: plan.profile && { arn: plan.profile.arn, id: plan.profile.id },
    ...settings(instance),
  }
}

/** A terminated instance has no place in a network any more: EC2 leaves all of this out. */
function whereItIs(instance: InstanceVersion, world: World): XmlElement {
  const { subnet, privateAddress, publicAddress } = primaryInterface(instance)
  const shown = instance.state === 'running' ? publicAddress : undefined
  return {
    privateDnsName: privateDnsName(instance, world.region),
    dnsName: shown === undefined ? '' : publicDnsName(shown, world.region),
    privateIpAddress: privateAddress,
    ipAddress: shown,
    subnetId: subnet.id,
    vpcId: subnet.vpc,
    sourceDestCheck: true,
  }
}

function whatIsAttached(instance: InstanceVersion, world: World): XmlElement {
  if (instance.state === 'terminated') return { groupSet: [], networkInterfaceSet: [], blockDeviceMapping: [] }
  const attached = xmlTime(instance.launchedAt)
  const status = instance.state === 'pending' ? 'attaching' : 'attached'
  return {
    groupSet: writeGroups(primaryInterface(instance).groups),
    networkInterfaceSet: instance.interfaces.map((one) => writeInterface(one, instance, world)),
    // A volume shows up once the instance has started.
    blockDeviceMapping:
      instance.state === 'pending'
        ? []
        : instance.volumes.map(({ device, id, deleteOnTermination }) => ({
            deviceName: device,
            ebs: { volumeId: id, status, attachTime: attached, deleteOnTermination },
          })),
  }
}

function writeInterface(one: NetworkInterface, instance: InstanceVersion, world: World): XmlElement {
  const name = privateDnsName(instance, world.region)
  const association = one.publicAddress !== undefined &&
    instance.state === 'running' && {
      publicIp: one.publicAddress,
      publicDnsName: publicDnsName(one.publicAddress, world.region),
      ipOwnerId: 'amazon',
    }
  return {
    networkInterfaceId: one.id,
    subnetId: one.subnet.id,
    vpcId: one.subnet.vpc,
    description: one.description,
    ownerId: world.accountId,
    status: 'in-use',
    macAddress: one.mac,
    privateIpAddress: one.privateAddress,
    privateDnsName: name,
    sourceDestCheck: true,
    groupSet: writeGroups(one.groups),
    attachment: {
      attachmentId: one.attachmentId,
      deviceIndex: one.deviceIndex,
      networkCardIndex: 0,
      status: instance.state === 'pending' ? 'attaching' : 'attached',
      attachTime: xmlTime(instance.launchedAt),
      deleteOnTermination: one.deleteOnTermination,
    },
    ...(association && { association }),
    privateIpAddressesSet: [
      {
        privateIpAddress: one.privateAddress,
        privateDnsName: name,
        primary: true,
        ...(association && { association }),
      },
    ],
    ipv6AddressesSet: [],
    interfaceType: 'interface',
  }
}

function settings({ plan, state }: InstanceVersion): XmlElement {
  const { type } = plan
  const threads = type.architecture === 'arm64' ? 1 : 2
  return {
    ebsOptimized: plan.settings.ebsOptimized,
    enaSupport: true,
    cpuOptions: { coreCount: Math.max(1, type.cpus / threads), threadsPerCore: threads },
    capacityReservationId: plan.reservation?.id,
    capacityReservationSpecification: plan.settings.reservationTarget
      ? { capacityReservationTarget: { capacityReservationId: plan.settings.reservationTarget } }
      : { capacityReservationPreference: plan.settings.reservationPreference },
    hibernationOptions: { configured: false },
    enclaveOptions: { enabled: false },
    metadataOptions: writeMetadata(plan.metadata, state),
    bootMode: type.architecture === 'arm64' ? 'uefi' : 'legacy-bios',
    platformDetails: 'Linux/UNIX',
    usageOperation: 'RunInstances',
    privateDnsNameOptions: {
      hostnameType: plan.settings.hostname,
      enableResourceNameDnsARecord: false,
      enableResourceNameDnsAAAARecord: false,
    },
    maintenanceOptions: { autoRecovery: 'default' },
  }
}

function writeMetadata(options: MetadataOptions, state: InstanceState): XmlElement {
  return {
    state: state === 'pending' ? 'pending' : 'applied',
    httpTokens: options.tokens,
    httpPutResponseHopLimit: options.hopLimit,
    httpEndpoint: options.endpoint,
    httpProtocolIpv6: options.ipv6,
    instanceMetadataTags: options.tags,
  }
}

function writeGroups(groups: readonly SecurityGroup[]): Xml[] {
  return groups.map(({ id, name }) => ({ groupId: id, groupName: name }))
}
