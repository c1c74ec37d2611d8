import {
  boolean,
  each,
  integer,
  list,
  required,
  structure,
  text,
  unplayed,
  word,
  type Values,
} from '../../kit/http/schema.ts'
import { tagsField } from '../instances/tags.ts'

const onOff = word('enabled', 'disabled')

const blockDevice = structure({
  DeviceName: text,
  NoDevice: text,
  VirtualName: unplayed,
  Ebs: structure({
    DeleteOnTermination: boolean,
    Encrypted: boolean,
    Iops: integer,
    KmsKeyId: text,
    SnapshotId: text,
    Throughput: integer,
    VolumeSize: integer,
    VolumeType: word('standard', 'io1', 'io2', 'gp2', 'gp3', 'sc1', 'st1'),
    ...each(unplayed, 'AvailabilityZone AvailabilityZoneId EbsCardIndex OutpostArn VolumeInitializationRate'),
  }),
})

const networkInterface = structure({
  AssociatePublicIpAddress: boolean,
  DeleteOnTermination: boolean,
  Description: text,
  DeviceIndex: integer,
  InterfaceType: word('interface', 'efa', 'efa-only'),
  NetworkCardIndex: integer,
  NetworkInterfaceId: text,
  PrivateIpAddress: text,
  SecurityGroupId: list(text),
  SubnetId: text,
  ...each(unplayed, 'AssociateCarrierIpAddress ConnectionTrackingSpecification EnaQueueCount EnaSrdSpecification'),
  ...each(unplayed, 'Ipv4Prefix Ipv4PrefixCount'),
  Ipv6AddressCount: integer,
  ...each(unplayed, 'Ipv6Addresses Ipv6Prefix Ipv6PrefixCount'),
  PrimaryIpv6: boolean,
  PrivateIpAddresses: unplayed,
  SecondaryPrivateIpAddressCount: unplayed,
})

const marketOptions = structure({
  MarketType: word('spot', 'capacity-block', 'interruptible-capacity-reservation', 'on-demand'),
  SpotOptions: structure({
    BlockDurationMinutes: integer,
    InstanceInterruptionBehavior: word('hibernate', 'stop', 'terminate'),
    MaxPrice: text,
    SpotInstanceType: word('one-time', 'persistent'),
    ValidUntil: text,
  }),
})

const placement = structure({
  AvailabilityZone: text,
  GroupName: text,
  PartitionNumber: integer,
  Tenancy: word('default', 'dedicated', 'host'),
  ...each(unplayed, 'Affinity AvailabilityZoneId GroupId HostId HostResourceGroupArn'),

  SpreadDomain: unplayed,
})

/** Every parameter of RunInstances in the API of 2016-11-15. */
export const runInstancesFields = {
  BlockDeviceMapping: list(blockDevice),
  CapacityReservationSpecification: structure({
    CapacityReservationPreference: word('open', 'none', 'capacity-reservations-only'),
    CapacityReservationTarget: structure({ CapacityReservationId: text, CapacityReservationResourceGroupArn: text }),
  }),
  ClientToken: text,
  CreditSpecification: structure({ CpuCredits: required(word('standard', 'unlimited')) }),
  DisableApiStop: boolean,
  DisableApiTermination: boolean,
  EbsOptimized: boolean,
  EnclaveOptions: structure({ Enabled: boolean }),
  HibernationOptions: structure({ Configured: boolean }),
  IamInstanceProfile: structure({ Arn: text, Name: text }),
  ImageId: required(text),
  InstanceInitiatedShutdownBehavior: word('stop', 'terminate'),
  InstanceMarketOptions: marketOptions,
  InstanceType: required(text),
  KeyName: text,
  LaunchTemplate: structure({ LaunchTemplateId: text, LaunchTemplateName: text, Version: text }),
  MaintenanceOptions: structure({ AutoRecovery: word('disabled', 'default') }),
  MaxCount: required(integer),
  MetadataOptions: structure({
    HttpEndpoint: onOff,
    HttpProtocolIpv6: onOff,
    HttpPutResponseHopLimit: integer,
    HttpTokens: word('optional', 'required'),
    InstanceMetadataTags: onOff,
  }),
  MinCount: required(integer),
  Monitoring: structure({ Enabled: required(boolean), MetricCategoryId: unplayed }),
  NetworkInterface: list(networkInterface),
  Placement: placement,
  PrivateDnsNameOptions: structure({
    EnableResourceNameDnsAAAARecord: boolean,
    EnableResourceNameDnsARecord: boolean,
    HostnameType: word('ip-name', 'resource-name'),
  }),
  PrivateIpAddress: text,
  SecurityGroup: list(text),
  SecurityGroupId: list(text),
  SubnetId: text,
  TagSpecification: list(structure({ ResourceType: text, Tag: tagsField })),
  UserData: text,
  ...each(unplayed, 'AdditionalInfo CpuOptions ElasticGpuSpecification ElasticInferenceAccelerator'),
  ...each(unplayed, 'EnablePrimaryIpv6 Ipv6Address Ipv6AddressCount KernelId LicenseSpecification'),
  ...each(unplayed, 'NetworkPerformanceOptions Operator RamdiskId SecondaryInterface'),
} as const

export type RunInstancesValues = Values<typeof runInstancesFields>
export type BlockDeviceValues = NonNullable<RunInstancesValues['BlockDeviceMapping']>[number]
export type InterfaceValues = NonNullable<RunInstancesValues['NetworkInterface']>[number]
