import { CloudError, type ErrorKind } from '../errors.ts'
import type { ArmAnswer } from './client.ts'

/** Azure's documents on the wire, as far as we read them. Any field may be missing. */
export interface Resource {
  readonly id: string
  readonly name: string
  readonly location?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly zones?: readonly string[]
}

export interface VirtualMachine extends Resource {
  readonly properties?: {
    readonly provisioningState?: string
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
  readonly managedBy?: string
}

export interface Sku {
  readonly resourceType?: string
  readonly name?: string
  readonly capabilities?: readonly { readonly name?: string; readonly value?: string }[]
}

/** One resource of whatever type was asked for. Throws for what is none: something that is not Azure answered. */
export function resourceIn({ body }: ArmAnswer, otherwise: ErrorKind = 'transient'): Resource {
  if (isObject(body) && typeof body['id'] === 'string' && typeof body['name'] === 'string')
    return body as unknown as Resource
  throw foreignAnswer(otherwise)
}

export interface Page<T> {
  readonly items: readonly T[]
  /** The whole address of the next one. */
  readonly next: string | undefined
}

/** A page without its list is no empty list: it proves nothing. */
export function pageIn<T>({ body }: ArmAnswer): Page<T> {
  if (!isObject(body) || !Array.isArray(body['value'])) throw foreignAnswer('transient')
  const { value, nextLink } = body
  return { items: value as readonly T[], next: typeof nextLink === 'string' && nextLink !== '' ? nextLink : undefined }
}

function foreignAnswer(kind: ErrorKind): CloudError {
  return new CloudError(kind, { code: 'ForeignAnswer', message: 'What answered is not Azure.' })
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}
