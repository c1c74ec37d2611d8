import { parseKey } from '../../controllers/runtime/client/resource.ts'
import type { Process } from './process.ts'

/** The first pause of the default policy, less the second that its times are cut by. Longer pauses are no shorter. */
const pauseMs = 29_000
/** How long a strict machine waits at most, by the default policy. */
const patienceMs = 1_800_000

/**
 * Inside its pause a pool gets no create call, but for a strict machine whose time is over. Holds for one process that
 * knows of a refusal, while there is none and no success can end the pause.
 */
export class PauseLaw {
  readonly #broken: string[]
  readonly #now: () => number
  readonly #areStrict: boolean
  /** By process, Cluster and pool. */
  readonly #pauses = new Map<string, { readonly pool: string; readonly since: number; readonly until: number }>()
  /** By key of the Machine. */
  readonly #madeAt = new Map<string, number>()
  /** The end of the drought, by pool. `everywhere`: of each. */
  readonly #until = new Map<string, number>()
  #takenAt = -patienceMs

  /** `areStrict`: the machines have no fallback, so a wait has an end. */
  constructor(broken: string[], now: () => number, areStrict: boolean) {
    this.#broken = broken
    this.#now = now
    this.#areStrict = areStrict
  }

  droughtBegins(until: number, pools: readonly string[] = [everywhere]): void {
    for (const [key, { pool }] of this.#pauses) if (this.#now() > this.#untilOf(pool)) this.#pauses.delete(key)
    for (const pool of pools) this.#until.set(pool, Math.max(this.#until.get(pool) ?? 0, until))
  }

  /** Another manager, another policy, a clock that jumps or a forgotten annotation: pauses may be shorter. */
  disturbed(): void {
    this.#until.clear()
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

  /** The process hears that there is none of this. In a pause that changes nothing. */
  refused(process: Process, machine: string, pool: string): void {
    const now = this.#now()
    const key = keyOf(process, machine, pool)
    const known = this.#pauses.get(key)
    if (now > this.#untilOf(pool) || now - this.#takenAt < patienceMs || (known && now < known.until)) return
    this.#pauses.set(key, { pool, since: now, until: now + pauseMs })
  }

  asked(process: Process, machine: string, pool: string): void {
    const now = this.#now()
    const pause = this.#pauses.get(keyOf(process, machine, pool))
    if (now > this.#untilOf(pool) || !pause || now <= pause.since || now >= pause.until) return
    if (this.#areStrict && now - (this.#madeAt.get(machine) ?? now) >= patienceMs) return
    this.#broken.push(
      `${process.name} asked for ${machine} ${now - pause.since} ms after a refusal, in the pause of ${pool}`,
    )
  }

  #untilOf(pool: string): number {
    return Math.max(this.#until.get(pool) ?? 0, this.#until.get(everywhere) ?? 0)
  }
}

const everywhere = 'everywhere'

function keyOf(process: Process, machine: string, pool: string): string {
  return `${process.name} ${parseKey(machine).namespace} ${pool}`
}
