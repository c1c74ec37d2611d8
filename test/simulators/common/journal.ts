/** What a simulated cloud understood of a call: its name there and what of it may be kept and shown. */
export interface Call {
  /** The cloud's own name of the call, such as `RunInstances`. */
  readonly action: string
  /** Without credentials; bootstrap data only as its hash and length. */
  readonly shown: Readonly<Record<string, unknown>>
}

export interface RecordedRequest {
  readonly number: number
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
  /** When it came, in milliseconds of the simulator's clock. */
  readonly at: number
  /** Undefined while there is no answer yet, and for ever when the call was dropped before it was done. */
  readonly answer: { readonly status: number; readonly code?: string } | undefined
  /** The call was done, but its caller was cut off before the answer. */
  readonly lost: boolean
}

type Entry = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }

/** A simulator that runs for days must not grow for days; no test looks back this far. */
const kept = 100_000

/** Every call that came, refused ones too, in the order in which they came. */
export class Journal {
  readonly #entries: Entry[] = []
  #count = 0

  get entries(): readonly RecordedRequest[] {
    return this.#entries
  }

  open(call: Call, at: number): Entry {
    this.#count += 1
    const entry: Entry = {
      number: this.#count,
      action: call.action,
      params: call.shown,
      at,
      answer: undefined,
      lost: false,
    }
    this.#entries.push(entry)
    if (this.#entries.length > kept) this.#entries.splice(0, kept / 10)
    return entry
  }
}
