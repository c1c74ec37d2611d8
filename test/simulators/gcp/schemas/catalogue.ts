import { list, map, outputOf, outputs, structure, text } from '../fields.ts'

const common = outputs('kind', 'id', 'creationTimestamp', 'name', 'description', 'selfLink')

export const machineTypeFields = {
  ...common,
  ...outputs(
    'architecture',
    'guestCpus',
    'imageSpaceGb',
    'isSharedCpu',
    'maximumPersistentDisks',
    'maximumPersistentDisksSizeGb',
    'memoryMb',
    'zone',
  ),
  accelerators: outputOf(list(structure({ guestAcceleratorCount: text, guestAcceleratorType: text }))),
} as const

export const acceleratorTypeFields = { ...common, ...outputs('maximumCardsPerInstance', 'zone') } as const

export const zoneFields = { ...common, ...outputs('availableCpuPlatforms', 'region', 'status') } as const

const quota = structure({ limit: text, metric: text, usage: text })
export const regionFields = {
  ...common,
  ...outputs('status', 'zones'),
  quotas: outputOf(list(quota)),
} as const

export const subnetworkFields = {
  ...common,
  ...outputs('gatewayAddress', 'ipCidrRange', 'network', 'privateIpGoogleAccess', 'purpose', 'region', 'stackType'),
  secondaryIpRanges: outputOf(list(structure({ ipCidrRange: text, rangeName: text }))),
} as const

export const networkFields = { ...common, ...outputs('autoCreateSubnetworks', 'subnetworks') } as const

export const imageFields = {
  ...common,
  ...outputs('architecture', 'archiveSizeBytes', 'diskSizeGb', 'family', 'sourceType', 'status', 'labelFingerprint'),
  labels: outputOf(map(text)),
} as const

export const diskFields = {
  ...common,
  ...outputs(
    'architecture',
    'labelFingerprint',
    'lastAttachTimestamp',
    'lastDetachTimestamp',
    'physicalBlockSizeBytes',
    'sizeGb',
    'sourceImage',
    'status',
    'type',
    'users',
    'zone',
  ),
  labels: outputOf(map(text)),
} as const

export const reservationFields = {
  ...common,
  ...outputs('status', 'specificReservationRequired', 'zone'),
  specificReservation: outputOf(
    structure({
      assuredCount: text,
      count: text,
      inUseCount: text,
      instanceProperties: structure({ machineType: text }),
    }),
  ),
} as const
