import type { RefusalKind } from '../../../api/refusal.ts'
import { foreignAnswer } from '../../shared/foreign-answer.ts'
import { isObject, listOf, mapOf, maybe, name, orNull, shaped, text, type Check } from '../../shared/shape.ts'
import type { ArmAnswer } from './client.ts'
import type { Resource } from './documents.ts'

const resource = { id: name, name, location: maybe(text), tags: orNull(mapOf(text)), zones: orNull(listOf(text)) }

/** The shapes of the documents that we read. */
export const shapes = {
  machine: shaped({
    ...resource,
    properties: maybe(
      shaped({
        provisioningState: maybe(text),
        priority: maybe(text),
        hardwareProfile: maybe(shaped({ vmSize: maybe(text) })),
        capacityReservation: maybe(shaped({ capacityReservationGroup: maybe(shaped({ id: maybe(text) })) })),
        instanceView: maybe(
          shaped({
            statuses: maybe(listOf(shaped({ code: maybe(text), displayStatus: maybe(text), message: maybe(text) }))),
          }),
        ),
      }),
    ),
  }),
  interface: shaped({
    ...resource,
    properties: maybe(
      shaped({
        ipConfigurations: maybe(listOf(shaped({ properties: maybe(shaped({ privateIPAddress: maybe(text) })) }))),
        virtualMachine: maybe(shaped({ id: maybe(text) })),
      }),
    ),
  }),
  disk: shaped({ ...resource, managedBy: orNull(text) }),
  extension: shaped({ name, properties: maybe(shaped({ provisioningState: maybe(text) })) }),
  sku: shaped({
    resourceType: maybe(text),
    name: maybe(text),
    capabilities: maybe(listOf(shaped({ name: maybe(text), value: maybe(text) }))),
    locationInfo: maybe(listOf(shaped({ zones: orNull(listOf(text)) }))),
    restrictions: orNull(
      listOf(shaped({ type: maybe(text), restrictionInfo: orNull(shaped({ zones: orNull(listOf(text)) })) })),
    ),
  }),
} as const

const foreign = 'The answer does not come from Azure.'

/** The resource in an answer. Throws for any other answer: something else than Azure has sent it. */
export function resourceIn({ body }: ArmAnswer, shape: Check, otherwise: RefusalKind = 'transient'): Resource {
  if (shape(body)) return body as Resource
  throw foreignAnswer(otherwise, foreign)
}

export interface Page<T> {
  readonly items: readonly T[]
  /** The whole address of the next one. */
  readonly next: string | undefined
}

/** A page without its list is no empty list: it proves nothing. */
export function pageIn<T>({ body }: ArmAnswer, shape: Check): Page<T> {
  if (!isObject(body) || !listOf(shape)(body['value']) || !orNull(text)(body['nextLink'])) {
    throw foreignAnswer('transient', foreign)
  }
  const { value, nextLink } = body
  return { items: value as readonly T[], next: nextLink ? (nextLink as string) : undefined }
}
