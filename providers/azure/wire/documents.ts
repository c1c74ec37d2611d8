import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { isObject, listOf, mapOf, maybe, name, orNull, shaped, text, type Check } from '../../shared/shape.ts'
import type { ArmAnswer } from './client.ts'

/** Azure's documents on the wire, as far as we read them. `shapes` checks that they are so. */
export interface Resource {
  readonly id: string
  readonly name: string
  readonly location?: string
  readonly tags?: Readonly<Record<string, string>> | null
  readonly zones?: readonly string[] | null
}

export interface VirtualMachine extends Resource {
  readonly properties?: {
    readonly provisioningState?: string
    readonly timeCreated?: string
    readonly priority?: string
    readonly hardwareProfile?: { readonly vmSize?: string }
    readonly capacityReservation?: { readonly capacityReservationGroup?: { readonly id?: string } }
    readonly instanceView?: { readonly statuses?: readonly Status[] }
  }
}

export interface Status {
  readonly code?: string
  readonly displayStatus?: string
  readonly message?: string
}

export interface NetworkInterface extends Resource {
  readonly properties?: {
    readonly ipConfigurations?: readonly { readonly properties?: { readonly privateIPAddress?: string } }[]
    /** Whose it is, once it is somebody's. */
    readonly virtualMachine?: { readonly id?: string }
  }
}

export interface Disk extends Resource {
  /** The machine that it is attached to. */
  readonly managedBy?: string | null
  readonly properties?: { readonly timeCreated?: string }
}

export interface Extension {
  readonly name: string
  readonly properties?: { readonly provisioningState?: string }
}

export interface Sku {
  readonly resourceType?: string
  readonly name?: string
  readonly capabilities?: readonly { readonly name?: string; readonly value?: string }[]
}

const resource = { id: name, name, location: maybe(text), tags: orNull(mapOf(text)), zones: orNull(listOf(text)) }

/** What the documents that we read have to look like. */
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
  }),
} as const

/** What was asked for. Throws for what is none: something that is not Azure answered. */
export function resourceIn({ body }: ArmAnswer, shape: Check, otherwise: RefusalKind = 'transient'): Resource {
  if (shape(body)) return body as Resource
  throw foreignAnswer(otherwise)
}

export interface Page<T> {
  readonly items: readonly T[]
  /** The whole address of the next one. */
  readonly next: string | undefined
}

/** A page without its list is no empty list: it proves nothing. */
export function pageIn<T>({ body }: ArmAnswer, shape: Check): Page<T> {
  if (!isObject(body) || !listOf(shape)(body['value']) || !orNull(text)(body['nextLink'])) {
    throw foreignAnswer('transient')
  }
  const { value, nextLink } = body
  return { items: value as readonly T[], next: nextLink ? (nextLink as string) : undefined }
}

function foreignAnswer(kind: RefusalKind): CloudError {
  return new CloudError(kind, { code: 'ForeignAnswer', message: 'The answer does not come from Azure.' })
}
