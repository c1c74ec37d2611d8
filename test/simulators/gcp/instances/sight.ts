import type { History } from '../../kit/instances/history.ts'
import { Sight } from '../../kit/instances/sight.ts'
import { GceError } from '../http/errors.ts'
import type { Instance, InstanceVersion } from './instance.ts'
import type { Instances } from './instances.ts'

/** What calls see of the instances: sometimes the past, and nothing of a zone that does not answer. */
export class GceSight extends Sight<Instance, Instances> {
  /** Until when; Infinity: until it is said to answer again. */
  readonly #unreachable = new Map<string, number>()

  lose(zone: string, until: number): void {
    this.#unreachable.set(zone, until)
  }

  regain(zone: string | undefined): void {
    if (zone === undefined) this.#unreachable.clear()
    else this.#unreachable.delete(zone)
  }

  /** Zones that do not answer now. */
  get unreachable(): ReadonlySet<string> {
    const now = this.clock.now()
    return new Set([...this.#unreachable].filter(([, until]) => now < until).map(([zone]) => zone))
  }

  /** Before anything is asked of a zone. */
  reach(zone: string): void {
    if (!this.unreachable.has(zone)) return
    throw new GceError('backendError', `The zone '${zone}' is temporarily unavailable. Please try again later.`)
  }

  /** For a call that gets one: never late with the lists, only with what is invisible. */
  get(zone: string, nameOrId: string): InstanceVersion | undefined {
    const now = this.clock.now()
    const live = this.instances.find(nameOrId, zone)
    const seen = live && this.seen(live, now)
    if (seen || this.unseen.delete === undefined) return seen
    const isMeant = ({ instance: { id, plan } }: History<Instance>) =>
      plan.zone.name === zone && (id === nameOrId || plan.name === nameOrId)
    return this.instances
      .histories()
      .filter((one) => one !== live && isMeant(one))
      .map((one) => this.seen(one, now))
      .filter((version) => version !== undefined)
      .toArray()
      .at(-1)
  }

  /** For a call that changes something. */
  find(zone: string, nameOrId: string): Instance | undefined {
    const instance = this.instances.find(nameOrId, zone)?.instance
    return instance && this.isKnown(instance.createdAt) ? instance : undefined
  }
}
