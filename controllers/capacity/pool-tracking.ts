import type { CapacityPoolSpec } from '../../api/generated/capacity-pool.ts'
import { afterRunning, afterSighting, counted, forgotten, type PoolRecord } from '../../api/rules/capacity/pool-view.ts'
import type { PoolSighting } from './pool-sightings.ts'

/** Their names contain a price or a size of a spec, which tenants write. The newest stay. */
const mostGroups = 100

/** One offering in one account, as this process follows it. */
export class TrackedPool {
  readonly spec: CapacityPoolSpec
  #record: PoolRecord
  /** What was interrupted until then is counted already, by a process before this one. */
  #countedBefore: number
  /** By token, the time until which its seconds are counted. */
  readonly #running = new Map<string, number>()
  /** The tokens whose interruptions this process has counted. */
  readonly #interrupted = new Set<string>()
  /** The backoff groups that its refusals closed. */
  readonly groups = new Set<string>()

  constructor(spec: CapacityPoolSpec, record: PoolRecord) {
    this.spec = spec
    this.#record = record
    this.#countedBefore = record.countedUntil
  }

  see({ token, sighting, groups }: PoolSighting, now: number): void {
    const { served, interruptedAt } = sighting
    this.#record = afterSighting(this.#record, sighting, now)
    if (sighting.refused) for (const group of groups) this.#closed(group)
    if (token === undefined) return
    if (served && !this.#running.has(token)) {
      this.#running.set(token, Math.max(served.at, this.#record.countedUntil))
    }
    if (!served) this.#end(token, now)
    if (interruptedAt === undefined || this.#interrupted.has(token)) return
    this.#interrupted.add(token)
    if (interruptedAt > this.#countedBefore) this.#record = counted(this.#record)
  }

  #closed(group: string): void {
    this.groups.delete(group)
    this.groups.add(group)
    const [oldest = ''] = this.groups
    if (this.groups.size > mostGroups) this.groups.delete(oldest)
  }

  /** Its machine is gone. */
  end(token: string, now: number): void {
    this.#end(token, now)
    this.#interrupted.delete(token)
  }

  #end(token: string, now: number): void {
    const from = this.#running.get(token)
    this.#running.delete(token)
    if (from !== undefined) this.#record = afterRunning(this.#record, (now - from) / 1000)
  }

  /** With all seconds until now. */
  recordAt(now: number): PoolRecord {
    for (const [token, from] of this.#running) {
      this.#record = afterRunning(this.#record, (now - from) / 1000)
      this.#running.set(token, Math.max(from, now))
    }
    const usedAt = this.#running.size > 0 ? now : this.#record.usedAt
    this.#record = { ...this.#record, usedAt, countedUntil: Math.max(this.#record.countedUntil, now) }
    return this.#record
  }

  forget(now: number): void {
    this.#record = forgotten(this.recordAt(now), now)
    this.#countedBefore = now
    this.groups.clear()
  }
}
