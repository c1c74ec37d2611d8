/** What a client can go by when it was refused. */
export interface Told {
  readonly code: string
  readonly status: number | undefined
}

/** A cloud's own words for what every cloud says. */
export interface Words {
  /** Its names of the calls that create an instance and list all of them. */
  readonly create: string
  readonly list: string
  /** The status of a creation that is accepted. */
  readonly accepted: number
  /** Too many calls: as a fault, and when a limit was reached. */
  readonly throttled: Told
  readonly limited: Told
  /** Status and code of each of its own faults. */
  readonly serverErrors: readonly string[]
  /** The status that goes with a code. */
  readonly statuses: Readonly<Record<string, number>>
  /** A refusal that a test plays back, with the status that goes with its code. */
  readonly refused: Told
  /** How the client speaks of a connection that ends. */
  readonly cutOff: RegExp
  /** How the client speaks of an answer that came to harm. */
  readonly harmed: Readonly<Record<'cut-body' | 'half-body' | 'garbage' | 'proxy-page', RegExp>>
  /** How a second creation under the same name is refused; left out: it answers with the first instance. */
  readonly repeated?: string
  readonly noCapacity: string
  /** The types of the sizes, and the zones. */
  readonly types: Readonly<Record<'usual' | 'other', string>>
  readonly zones: Readonly<Record<'home' | 'other', string>>
  /** States in lists. Of an instance that has ended, undefined: none is listed. */
  readonly made: string
  readonly running: string
  readonly ending: string
  readonly ended: string | undefined
  readonly interrupted: readonly [going: string, gone: string]
  /** While an interrupted instance has its notice. */
  readonly noticed: string
  /** A GET by the id, too, knows no more than lists do. */
  readonly findsLate: boolean
  /** How a call is refused that asks for an instance which is not there. */
  readonly notFound: Told
  /** What the real limits let in when they are scaled so. */
  readonly realCreations: { readonly scale: number; readonly count: number }
  /** The name of a machine whose Node is looked at. */
  readonly worker: string
  /** What control shows of it, interrupted, in this cloud alone. */
  readonly shown: object
  /** Verbs that end a machine, besides those of every simulator. */
  readonly ends: readonly string[]
  /** Verbs after which the kubelet lives on for a while. */
  readonly lingers: readonly string[]
  /** Verbs and views that only this simulator has. */
  readonly verbs: readonly string[]
  readonly views: readonly string[]
  /** A field of its verb `invisible` that is true or false. */
  readonly truth: string
  /** The field by which its verbs name a reservation; left out: `id`. */
  readonly reservationKey?: string
  /** What its own verbs refuse: what it is, the verb, the fields, and the sentence. */
  readonly refusedSwitches: readonly (readonly [what: string, verb: string, body: object, sentence: string])[]
}
