import type { Clock } from '../../../api/ctx.ts'
import type { History } from '../kit/history.ts'
import { Lateness, type Invisible } from '../kit/lateness.ts'
import { GceError } from './errors.ts'
import type { Instance, InstanceVersion } from './instance.ts'
import type { Instances } from './instances.ts'

/** Of GCE, besides. */
export interface GceInvisible extends Invisible {
  /** Deletes, stops and starts do not know of an inserted instance any earlier than gets and lists do. */
  readonly writes?: boolean
}

/** What calls see of the instances: sometimes the past, and nothing of a zone that does not answer. */
export class Sight extends Lateness<GceInvisible> {
  readonly #instances: Instances
  readonly #clock: Clock
  /** Until when; Infinity: until it is said to answer again. */
  readonly #unreachable = new Map<string, number>()

  constructor(instances: Instances, clock: Clock) {
    super()
    this.#instances = instances
    this.#clock = clock
  }

  lose(zone: string, until: number): void {
    this.#unreachable.set(zone, until)
  }

  regain(zone: string | undefined): void {
    if (zone === undefined) this.#unreachable.clear()
    else this.#unreachable.delete(zone)
  }

  /** Zones that do not answer now. */
  get unreachable(): ReadonlySet<string> {
    const now = this.#clock.now()
    return new Set([...this.#unreachable].filter(([, until]) => now < until).map(([zone]) => zone))
  }

  /** Before anything is asked of a zone. */
  reach(zone: string): void {
    if (!this.unreachable.has(zone)) return
    throw new GceError('backendError', `The zone '${zone}' is temporarily unavailable. Please try again later.`)
  }

  /** For one call that lists, once: the next call may see more, or less. */
  look(): readonly InstanceVersion[] {
    const { create = 0, delete: change = 0 } = this.unseen
    const lag = this.nextLag()
    if (lag + create + change === 0) return this.#instances.visible()
    const moment = this.#clock.now() - lag
    return this.#instances
      .histories()
      .map((history) => this.#seen(history, moment))
      .filter((version) => version !== undefined)
      .toArray()
  }

  /** For a call that gets one: never late with the lists, only with what is invisible. */
  get(zone: string, nameOrId: string): InstanceVersion | undefined {
    const now = this.#clock.now()
    const live = this.#instances.find(nameOrId, zone)
    const seen = live && this.#seen(live, now)
    if (seen || this.unseen.delete === undefined) return seen
    const isMeant = ({ instance: { id, plan } }: History<Instance>) =>
      plan.zone.name === zone && (id === nameOrId || plan.name === nameOrId)
    return this.#instances
      .histories()
      .filter((one) => one !== live && isMeant(one))
      .map((one) => this.#seen(one, now))
      .filter((version) => version !== undefined)
      .toArray()
      .at(-1)
  }

  /** For a call that changes something. */
  find(zone: string, nameOrId: string): Instance | undefined {
    const { create = 0, writes = false } = this.unseen
    const instance = this.#instances.find(nameOrId, zone)?.instance
    return instance && writes && instance.createdAt + create > this.#clock.now() ? undefined : instance
  }

  #seen(history: History<Instance>, moment: number): InstanceVersion | undefined {
    const { create = 0, delete: change = 0 } = this.unseen
    if (history.instance.createdAt + create > moment) return undefined
    const version = history.at(moment - change)
    return version.goneAt === undefined ? version : undefined
  }
}
