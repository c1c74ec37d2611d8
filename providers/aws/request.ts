import type {
  BlockDeviceMapping,
  InstanceMarketOptionsRequest,
  ResourceType,
  RunInstancesRequest,
  TagSpecification,
} from '@aws-sdk/client-ec2'
import type { AWSClusterSpec } from '../../api/generated/aws-cluster.ts'
import type { AWSMachineSpec } from '../../api/generated/aws-machine.ts'
import type { LaunchPlan, Wanted } from '../cloud.ts'
import { CloudError } from '../errors.ts'
import type { CapacityType, Launch } from '../instances.ts'
import { ownershipTags } from './ownership.ts'

type Subnet = NonNullable<NonNullable<AWSClusterSpec['network']>['subnets']>[number]

/** What one machine asks of EC2, from specs alone. Frozen for the attempt, without token, tags and user data. */
export interface AwsRequest extends Record<string, unknown> {
  instanceType: string
  imageId: string
  subnetId: string
  securityGroupIds: string[]
  keyName?: string
  instanceProfile?: string
  market: { type: 'spot'; maxPrice?: string } | { type: 'on-demand' }
  rootVolume?: NonNullable<AWSMachineSpec['rootVolume']>
  additionalTags: Record<string, string>
}

/** Pure: the same specs give the same request. Which subnet: the machine's own, else one in its failure domain. */
export function plan({ machine, cluster, failureDomain }: Wanted): LaunchPlan {
  const spec = machine.spec as unknown as AWSMachineSpec
  const place = cluster.spec as unknown as AWSClusterSpec
  const subnets = place.network?.subnets ?? []
  const subnetId = spec.subnet?.id ?? chooseSubnet(subnets, failureDomain)
  const market = marketOf(spec)
  const request: AwsRequest = {
    instanceType: spec.instanceType,
    imageId: imageOf(spec),
    subnetId,
    securityGroupIds: securityGroupsOf(spec, place),
    ...(spec.sshKeyName ? { keyName: spec.sshKeyName } : {}),
    ...(spec.iamInstanceProfile ? { instanceProfile: spec.iamInstanceProfile } : {}),
    market,
    ...(spec.rootVolume ? { rootVolume: spec.rootVolume } : {}),
    additionalTags: { ...place.additionalTags, ...spec.additionalTags },
  }
  const zone = failureDomain ?? subnets.find(({ id }) => id === subnetId)?.availabilityZone ?? ''
  const capacityType: CapacityType = market.type === 'spot' ? 'Spot' : 'OnDemand'
  return { request, offering: { capacityType, instanceType: spec.instanceType, zone } }
}

function chooseSubnet(subnets: readonly Subnet[], zone: string | undefined): string {
  const fitting = subnets.filter((subnet) => zone === undefined || subnet.availabilityZone === zone)
  const chosen = fitting.find(({ isPublic }) => !isPublic) ?? fitting[0]
  if (chosen) return chosen.id
  throw invalid(
    zone === undefined
      ? 'No subnet: set spec.subnet.id of the AWSMachine or spec.network.subnets of the AWSCluster.'
      : `No subnet in ${zone}: spec.network.subnets of the AWSCluster has none with this availabilityZone.`,
  )
}

function imageOf({ ami }: AWSMachineSpec): string {
  if (ami?.id) return ami.id
  throw invalid('No image: set spec.ami.id of the AWSMachine.')
}

function securityGroupsOf(spec: AWSMachineSpec, place: AWSClusterSpec): string[] {
  const node = place.network?.securityGroupOverrides?.node
  const additional = (spec.additionalSecurityGroups ?? []).map(({ id }) => id)
  return [...new Set([...(node ? [node] : []), ...additional])]
}

/** As CAPA infers it: `spotMarketOptions` alone means spot. */
function marketOf({ marketType, spotMarketOptions }: AWSMachineSpec): AwsRequest['market'] {
  if (marketType !== 'Spot' && !spotMarketOptions) return { type: 'on-demand' }
  return { type: 'spot', ...(spotMarketOptions?.maxPrice ? { maxPrice: spotMarketOptions.maxPrice } : {}) }
}

function invalid(message: string): CloudError {
  return new CloudError('invalid', { code: 'InvalidSpec', message })
}

const taggedAtCreation: ResourceType[] = ['instance', 'volume', 'network-interface']

/** The call itself. Everything in it but the user data is in the frozen request or follows from the attempt. */
export function runInstances(want: Launch, rootDevice: string | undefined): RunInstancesRequest {
  const request = want.request as AwsRequest
  const spot = request.market.type === 'spot'
  const Tags = ownershipTags(want, request.additionalTags)
  return {
    ClientToken: want.token,
    MinCount: 1,
    MaxCount: 1,
    ImageId: request.imageId,
    InstanceType: request.instanceType as NonNullable<RunInstancesRequest['InstanceType']>,
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        SubnetId: request.subnetId,
        DeleteOnTermination: true,
        ...(request.securityGroupIds.length > 0 ? { Groups: request.securityGroupIds } : {}),
      },
    ],
    UserData: Buffer.from(want.userData).toString('base64'),
    MetadataOptions: { HttpEndpoint: 'enabled', HttpTokens: 'required' },
    TagSpecifications: [...taggedAtCreation, ...(spot ? (['spot-instances-request'] as const) : [])].map(
      (ResourceType): TagSpecification => ({ ResourceType, Tags }),
    ),
    ...(request.keyName ? { KeyName: request.keyName } : {}),
    ...(request.instanceProfile ? { IamInstanceProfile: { Name: request.instanceProfile } } : {}),
    ...(spot ? { InstanceMarketOptions: spotOptions(request.market) } : {}),
    ...(request.rootVolume && rootDevice ? { BlockDeviceMappings: [rootVolume(request.rootVolume, rootDevice)] } : {}),
  }
}

function spotOptions(market: AwsRequest['market']): InstanceMarketOptionsRequest {
  return {
    MarketType: 'spot',
    SpotOptions: {
      SpotInstanceType: 'one-time',
      InstanceInterruptionBehavior: 'terminate',
      ...('maxPrice' in market && market.maxPrice ? { MaxPrice: market.maxPrice } : {}),
    },
  }
}

function rootVolume(volume: NonNullable<AWSMachineSpec['rootVolume']>, DeviceName: string): BlockDeviceMapping {
  return {
    DeviceName,
    Ebs: {
      DeleteOnTermination: true,
      VolumeSize: volume.size,
      ...(volume.type ? { VolumeType: volume.type as 'gp3' } : {}),
      ...(volume.iops ? { Iops: volume.iops } : {}),
      ...(volume.throughput ? { Throughput: volume.throughput } : {}),
      ...(volume.encrypted === undefined ? {} : { Encrypted: volume.encrypted }),
      ...(volume.encryptionKey ? { KmsKeyId: volume.encryptionKey } : {}),
    },
  }
}
