import type { KubeObject } from '../../api/meta.ts'
import type { Truth } from './truth.ts'
import { Manager, type Kind, type Surroundings } from './manager.ts'
import { epoch, Process } from './process.ts'
import type { WorldClock } from './world-clock.ts'

/** The time from a kill to the next start of a process. */
const restartMs = 1_000
/** The time from its last renewal for which a leader believes that it leads, and no other process does. */
const deadlineMs = 10_000
const leaseMs = 16_000
/** The time after which a process sees that it is not the leader any more. */
const renewMs = 2_000
/** The time after which a continued process has sent everything that it was about to send. */
const catchesUpMs = 5_000
const stoppedForMs = 40_000
/** A process that has led for this long has written down everything that it has seen. */
const settledAfterMs = 10 * 60_000

/** The Lease as it stands in etcd. */
export interface Lease {
  readonly acquiredAt: number
  readonly renewedAt: number
}

type Parts = Pick<Surroundings, 'apiserver' | 'wire' | 'cloud' | 'announcements' | 'nodes' | 'onDelete'> & {
  readonly clock: WorldClock
}

/** The managers that come and go, their leader, and the delays of their caches. */
export class Managers {
  /** The delay of their caches. */
  lagMs = 10
  passes = 0
  readonly #parts: Parts
  readonly #clock: WorldClock
  #all: Manager[] = []
  #leader: Manager | undefined
  /** Leaders whose own deadline has passed while they were stopped. */
  readonly #doubtful = new Set<Manager>()
  /** Processes that believe that they lead although another one does, and that hear no events. */
  readonly #deluded = new Map<Manager, number>()
  #downUntil = 0
  /** Until this time no cache has seen the restored etcd. */
  #listedAnewAt = 0
  #started = 0
  #isOlder = false
  #tokens = 0
  /** Undefined before the first has led. While a leader runs, it is renewed later than this says. */
  #lease: Lease | undefined
  #alwaysRenewedAt: number | undefined
  #wokenAt = Number.NEGATIVE_INFINITY
  readonly #heardAt = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#clock = parts.clock
    parts.wire.onStruck = (process, by) => (by === 'killed' ? this.#killed(process) : this.#stopped(process))
  }

  start(): void {
    const process = new Process(`manager ${++this.#started}`, this.#clock)
    process.isOlder = this.#isOlder
    const renewedAt = this.#alwaysRenewedAt ?? this.#lastRenewal()
    this.#lease = { acquiredAt: this.#clock.now, renewedAt: this.#clock.now }
    const manager = new Manager(process, {
      ...this.#parts,
      leaseRenewedAt: renewedAt === undefined ? undefined : epoch + renewedAt,
      isUp: () => this.#isUp(),
      isFollowing: () => this.#isUp() && this.#clock.now >= this.#listedAnewAt,
      newToken: () => `token-${++this.#tokens}`,
      held: (asking) => this.#holds(asking),
      onPass: () => void this.passes++,
    })
    this.#all.push(manager)
    this.#leader = manager
  }

  get leaderName(): string | undefined {
    return this.#leader?.process.name
  }

  of(process: Process): Manager | undefined {
    return this.#all.find((manager) => manager.process === process)
  }

  /** Whether two processes believe that they lead. */
  get isSplit(): boolean {
    return this.#deluded.size > 0
  }

  /** Whether a stopped one has continued a moment ago. */
  get hasJustWoken(): boolean {
    return this.#clock.now - this.#wokenAt < catchesUpMs
  }

  /** Whether a list has shown it to the leader. */
  hasSeen({ listedTo }: Truth): boolean {
    return this.#leader !== undefined && listedTo.has(this.#leader.process)
  }

  takeApiserverDown(ms: number): void {
    this.#downUntil = Math.max(this.#downUntil, this.#clock.now + ms)
  }

  /** Another version takes over. */
  install(version: 'the version before' | 'this version'): void {
    this.#isOlder = version === 'the version before'
    this.kill()
  }

  kill(): void {
    if (this.#leader) this.#killed(this.#leader.process)
  }

  stop(ms: number): void {
    if (this.#leader) this.#stopped(this.#leader.process, ms)
  }

  /** The lease fails: another process leads too, and the old leader neither knows nor hears of anything. */
  split(ms: number): void {
    const deluded = this.#leader
    if (!deluded || this.isSplit) return
    this.#deluded.set(deluded, this.#clock.now + ms)
    this.#stopsRenewing()
    this.#clock.after(ms, () => this.#end(deluded))
    this.start()
  }

  skew(ms: number): void {
    for (const { process } of this.#all) process.skewMs += ms
  }

  wake(): void {
    for (const manager of this.#all) manager.wake()
  }

  /** Changes of a kind arrive in their order. */
  tell(kind: Kind | 'Node', key: string, object: KubeObject | undefined): void {
    for (const manager of this.#all) {
      const way = `${manager.process.name} ${kind}`
      const earliest = Math.max(this.#clock.now + this.lagMs, this.#downUntil, this.#deluded.get(manager) ?? 0)
      const at = Math.max(this.#heardAt.get(way) ?? 0, earliest)
      this.#heardAt.set(way, at)
      this.#clock.after(at - this.#clock.now, () => manager.learn(kind, key, object))
    }
  }

  /** Watches stop until all sent events have arrived. */
  listAnew(): void {
    this.#listedAnewAt = Math.max(this.#listedAnewAt, ...this.#heardAt.values())
  }

  /** Each process reads this Lease, whatever is in etcd. */
  findsLeaseRenewedAt(at: number): void {
    this.#alwaysRenewedAt = at
  }

  /** etcd is restored to a copy with this Lease. A leader renews it at once. */
  putLeaseBack(copied: Lease | undefined): void {
    const { now } = this.#clock
    this.#lease = this.#leader ? { acquiredAt: now, renewedAt: now } : copied
  }

  /** After the end of a leader nobody renews it until the next one starts. */
  get lease(): Lease | undefined {
    const isRenewed = this.#leader?.process.isRunning === true
    return this.#lease && isRenewed ? { ...this.#lease, renewedAt: this.#clock.now } : this.#lease
  }

  #lastRenewal(): number | undefined {
    if (!this.#lease) return undefined
    const { acquiredAt, renewedAt } = this.#lease
    return renewedAt - acquiredAt >= settledAfterMs ? renewedAt : undefined
  }

  #stopsRenewing(): void {
    if (this.#lease) this.#lease = { ...this.#lease, renewedAt: this.#clock.now }
  }

  /** A process that would continue as if nothing had happened. */
  endThoseWhoStandStill(): void {
    for (const manager of this.#all) {
      if (!manager.process.isRunning || this.#deluded.has(manager)) this.#killed(manager.process)
    }
  }

  /** No more faults from now on. */
  calm(): void {
    this.#downUntil = 0
    this.#isOlder = false
    this.lagMs = 10
    this.#wokenAt = this.#clock.now
    for (const { process } of this.#all) process.resume()
    for (const manager of this.#deluded.keys()) this.#end(manager)
  }

  #isUp(): boolean {
    return this.#clock.now >= this.#downUntil
  }

  #holds(manager: Manager): boolean {
    if (this.#deluded.has(manager)) return true
    return manager === this.#leader && !this.#doubtful.has(manager)
  }

  #killed(process: Process): void {
    const manager = this.of(process)
    if (!manager) return
    this.#end(manager)
    if (manager === this.#leader) {
      this.#leader = undefined
      this.#stopsRenewing()
    }
    this.#clock.after(restartMs, () => {
      if (!this.#leader) this.start()
    })
  }

  #stopped(process: Process, ms = stoppedForMs): void {
    const manager = this.of(process)
    if (!manager || !process.isRunning) return
    process.stop()
    const since = this.#clock.now
    if (manager === this.#leader) this.#stopsRenewing()
    this.#clock.after(leaseMs, () => {
      if (!process.isRunning && !process.isDead && manager === this.#leader) this.start()
    })
    this.#clock.after(ms, () => {
      if (this.#clock.now - since >= deadlineMs) this.#doubtful.add(manager)
      this.#wokenAt = this.#clock.now
      process.resume()
      this.#clock.after(renewMs, () => {
        this.#doubtful.delete(manager)
        if (manager !== this.#leader && !this.#deluded.has(manager)) this.#end(manager)
      })
    })
  }

  #end(manager: Manager): void {
    manager.process.kill()
    this.#deluded.delete(manager)
    this.#all = this.#all.filter((other) => other !== manager)
  }
}
