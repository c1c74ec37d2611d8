import { each, list, map, output, outputOf, structure, text } from '../../../kit/http/schema.ts'

const common = each(output, 'kind id creationTimestamp name description selfLink')

export const machineTypeFields = {
  ...common,
  ...each(output, 'architecture guestCpus imageSpaceGb isSharedCpu maximumPersistentDisks'),
  ...each(output, 'maximumPersistentDisksSizeGb memoryMb zone'),
  accelerators: outputOf(list(structure({ guestAcceleratorCount: text, guestAcceleratorType: text }))),
} as const

export const acceleratorTypeFields = { ...common, ...each(output, 'maximumCardsPerInstance zone') } as const

export const zoneFields = { ...common, ...each(output, 'availableCpuPlatforms region status') } as const

const quota = structure({ limit: text, metric: text, usage: text })
export const regionFields = {
  ...common,
  ...each(output, 'status zones'),
  quotas: outputOf(list(quota)),
} as const

export const subnetworkFields = {
  ...common,
  ...each(output, 'gatewayAddress ipCidrRange network privateIpGoogleAccess purpose region stackType'),
  secondaryIpRanges: outputOf(list(structure({ ipCidrRange: text, rangeName: text }))),
} as const

export const networkFields = { ...common, ...each(output, 'autoCreateSubnetworks subnetworks') } as const

export const imageFields = {
  ...common,
  ...each(output, 'architecture archiveSizeBytes diskSizeGb family sourceType status labelFingerprint'),
  labels: outputOf(map(text)),
} as const

export const diskFields = {
  ...common,
  ...each(output, 'architecture labelFingerprint lastAttachTimestamp lastDetachTimestamp physicalBlockSizeBytes'),
  ...each(output, 'sizeGb sourceImage status type users zone'),
  labels: outputOf(map(text)),
} as const

export const reservationFields = {
  ...common,
  ...each(output, 'status specificReservationRequired zone'),
  specificReservation: outputOf(
    structure({
      assuredCount: text,
      count: text,
      inUseCount: text,
      instanceProperties: structure({ machineType: text }),
    }),
  ),
} as const
