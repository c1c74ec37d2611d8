import type { Action } from '../http/action.ts'
import { boolean, word } from '../../kit/http/schema.ts'
import { names } from '../ids.ts'
import { instanceTypes, isOfferedIn, type InstanceType } from '../supply/instance-types.ts'
import { describe } from '../http/listing.ts'
import type { World } from '../world.ts'
import type { XmlElement } from '../http/xml.ts'

const describeInstanceTypes = describe<InstanceType>({
  name: 'DescribeInstanceTypes',
  set: 'instanceTypeSet',
  items: () => instanceTypes,
  filters: {
    'bare-metal': () => ['false'],
    'current-generation': () => ['true'],
    'instance-type': ({ name }) => [name],
    'memory-info.size-in-mib': ({ memoryMiB }) => [String(memoryMiB)],
    'processor-info.supported-architecture': ({ architecture }) => [architecture],
    'supported-usage-class': ({ usageClasses }) => usageClasses,
    'vcpu-info.default-vcpus': ({ cpus }) => [String(cpus)],
  },
  by: [{ parameter: 'InstanceType', called: 'instanceType', of: ({ name }) => name, kind: names.instanceType }],
  page: { min: 5, max: 100 },
  also: { IncludeUnsupportedInRegion: boolean },
  write: (types) => types.map(writeType),
})

function writeType(type: InstanceType): XmlElement {
  const threads = type.architecture === 'arm64' ? 1 : 2
  return {
    instanceType: type.name,
    currentGeneration: true,
    freeTierEligible: false,
    supportedUsageClasses: type.usageClasses,
    supportedRootDeviceTypes: ['ebs'],
    supportedVirtualizationTypes: ['hvm'],
    bareMetal: false,
    hypervisor: 'nitro',
    processorInfo: { supportedArchitectures: [type.architecture] },
    vCpuInfo: {
      defaultVCpus: type.cpus,
      defaultCores: Math.max(1, type.cpus / threads),
      defaultThreadsPerCore: threads,
    },
    memoryInfo: { sizeInMiB: type.memoryMiB },
    instanceStorageSupported: type.localDiskGB !== undefined,
    instanceStorageInfo: type.localDiskGB && {
      totalSizeInGB: type.localDiskGB,
      disks: [{ sizeInGB: type.localDiskGB, count: 1, type: 'ssd' }],
      nvmeSupport: 'required',
    },
    ebsInfo: { ebsOptimizedSupport: 'default', encryptionSupport: 'supported', nvmeSupport: 'required' },
    networkInfo: {
      maximumNetworkInterfaces: type.interfaces,
      maximumNetworkCards: 1,
      defaultNetworkCardIndex: 0,
      ipv4AddressesPerInterface: type.addressesPerInterface,
      ipv6AddressesPerInterface: type.addressesPerInterface,
      ipv6Supported: true,
      enaSupport: 'required',
      efaSupported: type.hasEfa ?? false,
    },
    ...devices(type),
    placementGroupInfo: { supportedStrategies: ['partition', 'spread'] },
    hibernationSupported: false,
    burstablePerformanceSupported: type.name.startsWith('t'),
    dedicatedHostsSupported: true,
    autoRecoverySupported: true,
    supportedBootModes: type.architecture === 'arm64' ? ['uefi'] : ['legacy-bios', 'uefi'],
  }
}

function devices({ gpu, neuron }: InstanceType): XmlElement {
  return {
    gpuInfo: gpu && {
      gpus: [{ name: gpu.model, manufacturer: gpu.maker, count: gpu.count, memoryInfo: { sizeInMiB: gpu.memoryMiB } }],
      totalGpuMemoryInMiB: gpu.memoryMiB * gpu.count,
    },
    neuronInfo: neuron && {
      neuronDevices: [
        {
          count: neuron.devices,
          name: 'Inferentia2',
          coreInfo: { count: neuron.coresPerDevice, version: 2 },
          memoryInfo: { sizeInMiB: 32_768 },
        },
      ],
      totalNeuronDeviceMemoryInMiB: neuron.devices * 32_768,
    },
  }
}

interface Offering {
  readonly type: InstanceType
  readonly locationType: string
  readonly location: string
}

const describeInstanceTypeOfferings = describe<Offering>({
  name: 'DescribeInstanceTypeOfferings',
  set: 'instanceTypeOfferingSet',
  items: ({ world }) => instanceTypes.flatMap((type) => offeringsOf(type, world)),
  filters: {
    'instance-type': ({ type }) => [type.name],
    location: ({ location }) => [location],
  },
  by: [],
  page: { min: 5, max: 1000 },
  also: { LocationType: word('region', 'availability-zone', 'availability-zone-id', 'outpost') },
  narrow: (offerings, { LocationType = 'region' }) =>
    offerings.filter(({ locationType }) => locationType === LocationType),
  write: (offerings) =>
    offerings.map(({ type, locationType, location }) => ({ instanceType: type.name, locationType, location })),
})

function offeringsOf(type: InstanceType, { region, zones }: World): Offering[] {
  const zonesOfType = zones.filter(({ name }) => isOfferedIn(type, name))
  return [
    { type, locationType: 'region', location: region },
    ...zonesOfType.map(({ name }) => ({ type, locationType: 'availability-zone', location: name })),
    ...zonesOfType.map(({ id }) => ({ type, locationType: 'availability-zone-id', location: id })),
  ]
}

export const instanceTypeActions: readonly Action[] = [describeInstanceTypes, describeInstanceTypeOfferings]
