import { parseKey } from '../../controllers/runtime/client/resource.ts'
import type { Process } from './process.ts'

/** The first pause of the default policy, less the second that its times are cut by. Longer pauses are no shorter. */
const pauseMs = 29_000
/** How long a strict machine waits at most, by the default policy. */
const patienceMs = 1_800_000

/**
 * Inside its pause a pool gets no create call, but for a machine whose time is over. Holds for one process that knows
 * of a refusal, while there is no capacity and no success can end the pause.
 */
export class PauseLaw {
  readonly #broken: string[]
  readonly #now: () => number
  /** By process and Cluster. */
  readonly #pauses = new Map<string, { readonly since: number; readonly until: number }>()
  /** By key of the Machine. */
  readonly #madeAt = new Map<string, number>()
  #until = 0
  #takenAt = -patienceMs

  constructor(broken: string[], now: () => number) {
    this.#broken = broken
    this.#now = now
  }

  droughtBegins(until: number): void {
    if (this.#now() > this.#until) this.#pauses.clear()
    this.#until = Math.max(this.#until, until)
  }

  /** Another manager, another policy, a clock that jumps or a forgotten annotation: pauses may be shorter. */
  disturbed(): void {
    this.#until = 0
    this.#pauses.clear()
  }

  /**
   * An instance that is taken back soon may begin a pause too, or its notice. A refusal in that pause does not make it
   * longer.
   */
  taken(): void {
    this.#takenAt = this.#now()
  }

  made(machine: string): void {
    if (!this.#madeAt.has(machine)) this.#madeAt.set(machine, this.#now())
  }

  gone(machine: string): void {
    this.#madeAt.delete(machine)
  }

  /** The process hears that there is no capacity. In a pause that changes nothing. */
  refused(process: Process, machine: string): void {
    const now = this.#now()
    const key = `${process.name} ${parseKey(machine).namespace}`
    const known = this.#pauses.get(key)
    if (now > this.#until || now - this.#takenAt < patienceMs || (known && now < known.until)) return
    this.#pauses.set(key, { since: now, until: now + pauseMs })
  }

  asked(process: Process, machine: string): void {
    const now = this.#now()
    const pause = this.#pauses.get(`${process.name} ${parseKey(machine).namespace}`)
    if (now > this.#until || !pause || now <= pause.since || now >= pause.until) return
    if (now - (this.#madeAt.get(machine) ?? now) >= patienceMs) return
    this.#broken.push(`${process.name} asked for ${machine} ${now - pause.since} ms after a refusal, in the pause`)
  }
}
