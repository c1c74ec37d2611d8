/** Azure's documents on the wire, as far as we read them. `answers.ts` checks that they are so. */
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
    /** The machine that it is attached to, once it is. */
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
  /** One for the location that was asked for. */
  readonly locationInfo?: readonly { readonly zones?: readonly string[] | null }[]
  readonly restrictions?: readonly Restriction[] | null
}

/** Why a subscription cannot buy a size: in a whole location, or in some of its zones. */
export interface Restriction {
  readonly type?: string
  readonly restrictionInfo?: { readonly zones?: readonly string[] | null } | null
}
