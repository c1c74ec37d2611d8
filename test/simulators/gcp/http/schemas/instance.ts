import {
  boolean,
  each,
  int32,
  int64,
  list,
  map,
  output,
  structure,
  text,
  unplayed,
  word,
  type Values,
} from '../../../kit/http/schema.ts'

const duration = structure({ seconds: int64, nanos: int32 })

export const schedulingFields = {
  automaticRestart: boolean,
  instanceTerminationAction: word('STOP', 'DELETE'),
  onHostMaintenance: word('MIGRATE', 'TERMINATE'),
  preemptible: boolean,
  preemptionNoticeDuration: duration,
  provisioningModel: word('STANDARD', 'SPOT', 'FLEX_START', 'RESERVATION_BOUND'),
  ...each(unplayed, 'availabilityDomain exposeHostTopology gracefulShutdown hostErrorTimeoutSeconds'),
  ...each(unplayed, 'localSsdRecoveryTimeout locationHint maxRunDuration minNodeCpus nodeAffinities'),
  ...each(unplayed, 'onInstanceStopAction skipGuestOsShutdown terminationTime'),
} as const

const initializeParams = structure({
  description: text,
  diskName: text,
  diskSizeGb: int64,
  diskType: text,
  labels: map(text),
  sourceImage: text,
  ...each(output, 'licenses'),
  ...each(unplayed, 'architecture enableConfidentialCompute onUpdateAction provisionedIops provisionedThroughput'),
  ...each(unplayed, 'replicaZones resourceManagerTags resourcePolicies sourceImageEncryptionKey sourceSnapshot'),
  ...each(unplayed, 'sourceSnapshotEncryptionKey storagePool'),
})

const disk = structure({
  autoDelete: boolean,
  boot: boolean,
  deviceName: text,
  diskSizeGb: int64,
  initializeParams,
  interface: word('SCSI', 'NVME'),
  mode: word('READ_WRITE', 'READ_ONLY'),
  type: word('PERSISTENT', 'SCRATCH'),
  ...each(output, 'architecture guestOsFeatures index kind licenses savedState'),
  ...each(unplayed, 'diskEncryptionKey forceAttach shieldedInstanceInitialState source'),
})

const accessConfig = structure({
  name: text,
  networkTier: word('PREMIUM', 'STANDARD'),
  type: word('ONE_TO_ONE_NAT'),
  ...each(output, 'kind'),
  ...each(unplayed, 'externalIpv6 externalIpv6PrefixLength natIP publicPtrDomainName securityPolicy setPublicPtr'),
})

const networkInterface = structure({
  accessConfigs: list(accessConfig),
  aliasIpRanges: list(structure({ ipCidrRange: text, subnetworkRangeName: text })),
  network: text,
  networkIP: text,
  nicType: word('GVNIC', 'VIRTIO_NET'),
  stackType: word('IPV4_ONLY'),
  subnetwork: text,
  ...each(output, 'fingerprint kind name'),
  ...each(unplayed, 'aliasIpv6Ranges enableVpcScopedDns igmpQuery internalIpv6PrefixLength ipv6AccessConfigs'),
  ...each(unplayed, 'ipv6AccessType ipv6Address networkAttachment parentNicName queueCount serviceClassId vlan'),
})

/** The message Instance: what GCE shows of one, and what a caller may ask for. */
export const instanceFields = {
  canIpForward: boolean,
  confidentialInstanceConfig: structure({
    confidentialInstanceType: word('SEV', 'SEV_SNP', 'TDX'),
    enableConfidentialCompute: boolean,
  }),
  deletionProtection: boolean,
  description: text,
  disks: list(disk),
  guestAccelerators: list(structure({ acceleratorCount: int32, acceleratorType: text })),
  hostname: text,
  labels: map(text),
  machineType: text,
  metadata: structure({ items: list(structure({ key: text, value: text })), ...each(output, 'fingerprint kind') }),
  minCpuPlatform: text,
  name: text,
  networkInterfaces: list(networkInterface),
  params: structure({ resourceManagerTags: map(text), ...each(unplayed, 'requestValidForDuration') }),
  reservationAffinity: structure({
    consumeReservationType: word('ANY_RESERVATION', 'SPECIFIC_RESERVATION', 'NO_RESERVATION'),
    key: text,
    values: list(text),
  }),
  scheduling: structure(schedulingFields),
  serviceAccounts: list(structure({ email: text, scopes: list(text) })),
  shieldedInstanceConfig: structure({
    enableIntegrityMonitoring: boolean,
    enableSecureBoot: boolean,
    enableVtpm: boolean,
  }),
  tags: structure({ items: list(text), ...each(output, 'fingerprint') }),
  ...each(output, 'cpuPlatform creationTimestamp fingerprint id kind labelFingerprint lastStartTimestamp'),
  ...each(output, 'lastStopTimestamp lastSuspendedTimestamp resourceStatus satisfiesPzi satisfiesPzs selfLink'),
  ...each(output, 'startRestricted status statusMessage zone'),
  ...each(unplayed, 'advancedMachineFeatures displayDevice instanceEncryptionKey keyRevocationActionType'),
  ...each(unplayed, 'localSsdEncryptionMode networkPerformanceConfig privateIpv6GoogleAccess resourcePolicies'),
  ...each(unplayed, 'shieldedInstanceIntegrityPolicy sourceMachineImage sourceMachineImageEncryptionKey'),
  ...each(unplayed, 'workloadIdentityConfig'),
} as const

export type InstanceValues = Values<typeof instanceFields>
