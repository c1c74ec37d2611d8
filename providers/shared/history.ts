import type { Instance } from '../../api/instance.ts'
import { RecentMap } from './recent-map.ts'

interface Bounds {
  /** Left out: time alone bounds their number. */
  readonly most?: number
  /** Left out: their number alone bounds the memory. */
  readonly forMs?: number
}

/** The ends of instances that the cloud shows no more, by a key of the cloud's choice. */
export class EndedInstances {
  readonly #ended: RecentMap<{ readonly instance: Instance; readonly until: number }>
  readonly #forMs: number

  constructor({ most = Infinity, forMs = Infinity }: Bounds) {
    this.#ended = new RecentMap(most)
    this.#forMs = forMs
  }

  remember(key: string, instance: Instance, now = 0): void {
    this.#ended.set(key, { instance: { ...instance, state: 'terminated' }, until: now + this.#forMs })
  }

  of(key: string): Instance | undefined {
    return this.#ended.get(key)?.instance
  }

  forget(key: string): void {
    this.#ended.delete(key)
  }

  /** All that are remembered at this time. */
  all(now: number): Instance[] {
    for (const [key, { until }] of this.#ended) if (until <= now) this.#ended.delete(key)
    return [...this.#ended.values()].map(({ instance }) => instance)
  }
}
