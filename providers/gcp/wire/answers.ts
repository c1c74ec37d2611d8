import { flag, like, listOf, mapOf, maybe, number, shaped, text, type Check } from '../../shared/shape.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'

/** Ids are numbers that are written as text: they have more digits than a number holds. */
const id = like(/^[0-9]{1,20}$/)

const name = like(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)

/** The address of a zone, or of a resource in one. */
const zoneAddress: Check = like(new RegExp(`(?:^|/)zones/${attemptPatterns.zone.source.slice(1, -1)}(?:/|$)`))

const networkInterface = shaped({
  networkIP: maybe(text),
  ipv6Address: maybe(text),
  accessConfigs: maybe(listOf(shaped({ natIP: maybe(text) }))),
})

/** The shapes of GCE's answers that we read. */
export const shapes = {
  instance: shaped({
    id,
    name,
    zone: zoneAddress,
    status: text,
    labels: maybe(mapOf(text)),
    machineType: maybe(text),
    lastStartTimestamp: maybe(text),
    scheduling: maybe(
      shaped({
        preemptible: maybe(flag),
        provisioningModel: maybe(text),
        instanceTerminationAction: maybe(text),
      }),
    ),
    reservationAffinity: maybe(shaped({ consumeReservationType: maybe(text) })),
    networkInterfaces: maybe(listOf(networkInterface)),
  }),
  operation: shaped({
    operationType: maybe(text),
    status: maybe(text),
    statusMessage: maybe(text),
    user: maybe(text),
    targetId: maybe(id),
    targetLink: maybe(text),
    clientOperationId: maybe(text),
    insertTime: maybe(text),
    error: maybe(shaped({ errors: maybe(listOf(shaped({ code: maybe(text), message: maybe(text) }))) })),
  }),
  machineType: shaped({
    name: maybe(text),
    guestCpus: maybe(number),
    memoryMb: maybe(number),
    architecture: maybe(text),
    accelerators: maybe(listOf(shaped({ guestAcceleratorType: maybe(text), guestAcceleratorCount: maybe(number) }))),
  }),
  region: shaped({ zones: maybe(listOf(text)) }),
  /** The answer to a call that only has to be accepted. */
  anything: shaped({}),
} as const

/** A list over all zones of `collection`. */
export function listShape(collection: string, item: Check): Check {
  const scoped = shaped({ warning: maybe(shaped({ code: maybe(text) })), [collection]: maybe(listOf(item)) })
  return shaped({ items: maybe(mapOf(scoped)), nextPageToken: maybe(text), unreachables: maybe(listOf(text)) })
}
