/** What a simulated cloud understood of a call: its name there and what of it may be kept and shown. */
export interface Call {
  /** The cloud's own name of the call, such as `RunInstances`. */
  readonly action: string
  /** Without credentials; bootstrap data only as its hash and length. */
  show(): Readonly<Record<string, unknown>>
}

export interface RecordedRequest {
  readonly number: number
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
  /** When it came, in milliseconds of the simulator's clock. */
  readonly at: number
  /** Where the caller found this simulator. Callers that were given another name of this host are told apart by it. */
  readonly origin: string
  /** Undefined while there is no answer yet, and for ever when the call was dropped before it was done. */
  readonly answer: { readonly status: number; readonly code?: string } | undefined
  /** The call was done, but its caller was cut off before the answer, had gone, or was told otherwise. */
  readonly lost: boolean
}

/** The code of an answer that refuses nothing. */
const fine = 'OK'

/** What has not been answered, or not yet, is among the calls and has no code. */
export interface ActionCounts {
  readonly calls: number
  readonly codes: Readonly<Record<string, number>>
  /** Done, but the caller was cut off before the answer, had gone, or was told otherwise. */
  readonly lost: number
}

export interface Counts extends ActionCounts {
  /** Since the start or the last reset, in milliseconds of the simulator's clock. */
  readonly since: number
  readonly actions: Readonly<Record<string, ActionCounts>>
}

/** A call on its way through the simulator. */
export interface OpenCall {
  readonly request: RecordedRequest
  answered(status: number, code: string | undefined): void
  lost(): void
}

/** Every call that came, refused ones too: the last ones in the order in which they came, and the numbers of all. */
export class Journal {
  readonly #kept: number
  readonly #entries: RecordedRequest[] = []
  #number = 0
  #tally: Tally

  /** `kept`: how many calls are remembered one by one; a simulator that runs for days must not grow for days. */
  constructor(kept: number, now: number) {
    this.#kept = kept
    this.#tally = new Tally(now)
  }

  get entries(): readonly RecordedRequest[] {
    return this.#entries
  }

  open(call: Call, { at, origin }: Pick<RecordedRequest, 'at' | 'origin'>): OpenCall {
    this.#number += 1
    const { action } = call
    const request: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] } = {
      number: this.#number,
      action,
      params: this.#kept > 0 ? call.show() : {},
      at,
      origin,
      answer: undefined,
      lost: false,
    }
    this.#keep(request)
    // A call belongs to the count in which it began, also when that is reset before the answer.
    const tally = this.#tally
    tally.called(action)
    return {
      request,
      answered(status, code) {
        request.answer = { status, ...(code === undefined ? {} : { code }) }
        tally.answered(action, code ?? fine)
      },
      lost() {
        if (request.lost) return
        request.lost = true
        tally.lost(action)
      },
    }
  }

  counts(): Counts {
    return this.#tally.read()
  }

  resetCounts(now: number): void {
    this.#tally = new Tally(now)
  }

  #keep(request: RecordedRequest): void {
    if (this.#kept <= 0) return
    this.#entries.push(request)
    if (this.#entries.length > this.#kept) this.#entries.splice(0, Math.ceil(this.#kept / 10))
  }
}

class Tally {
  readonly #since: number
  readonly #actions = new Map<string, { calls: number; lost: number; codes: Map<string, number> }>()

  constructor(since: number) {
    this.#since = since
  }

  called(action: string): void {
    this.#of(action).calls += 1
  }

  answered(action: string, code: string): void {
    const { codes } = this.#of(action)
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }

  lost(action: string): void {
    this.#of(action).lost += 1
  }

  read(): Counts {
    const sum = { since: this.#since, calls: 0, lost: 0 }
    const codes = new Map<string, number>()
    for (const one of this.#actions.values()) {
      sum.calls += one.calls
      sum.lost += one.lost
      for (const [code, count] of one.codes) codes.set(code, (codes.get(code) ?? 0) + count)
    }
    const actions = [...this.#actions].map(
      ([action, one]) => [action, { ...one, codes: Object.fromEntries(one.codes) }] as const,
    )
    return { ...sum, codes: Object.fromEntries(codes), actions: Object.fromEntries(actions) }
  }

  #of(action: string) {
    let found = this.#actions.get(action)
    if (!found) {
      found = { calls: 0, lost: 0, codes: new Map() }
      this.#actions.set(action, found)
    }
    return found
  }
}
