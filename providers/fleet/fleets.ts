import type { Ctx } from '../../api/ctx.ts'
import type { Instance } from '../../api/instance.ts'
import type { Notice } from '../../api/notice.ts'
import type { SourceState } from '../../api/rules/interruption/notice-sources.ts'
import { pollKey, polledScope, scopeKey, type CloudName, type Scope } from '../../api/scope.ts'
import type { InstanceReads } from '../instances.ts'
import type { ShownList, ShownNotices } from '../notices.ts'
import type { Fleet } from './fleet.ts'
import { NoticePoller } from './notice-poller.ts'
import { Poller } from './poller.ts'

export interface FleetsOptions {
  pollIntervalMs: number
  /** Called with the tag of each machine of the cloud whose instance changed. */
  onChange: (cloud: Scope['cloud'], machine: string) => void
  /**
   * Called with each notice that the cloud shows of an instance of ours that is up. The same notice comes again with
   * each list of its source, for as long as both hold. Left out: clouds are not asked for notices.
   */
  onNotice?: (cloud: CloudName, scope: Scope, notice: Notice) => void
  /** Called after each list of notices that came through to its end. */
  onNoticeList?: (list: ShownList) => void
  /** Called after each list of this cloud and region. */
  onListed?: (cloud: CloudName, region: string) => void
  onBegin?: (scope: Scope) => void
  /** Called when a fleet has ended because nobody used it. */
  onEnd?: (scope: Scope) => void
}

/** How long an unused fleet goes on, so that a user that comes back finds its instances. */
export const unusedForMs = 10 * 60_000

/** The part of a cloud that a fleet reads. */
export interface WatchedCloud {
  readonly instances: InstanceReads
  readonly notices?: readonly ShownNotices[]
}

interface Running {
  readonly scope: Scope
  readonly poller: Poller
  readonly noticePollers: readonly NoticePoller[]
  readonly ended: Promise<unknown>
  readonly stop: AbortController
  /** How many fleets it serves. */
  fleets: number
}

interface Followed {
  readonly fleet: Fleet
  readonly running: Running
  /** Infrastructure clusters and infra machines. */
  readonly users: Set<string>
  cancelEnd: () => void
}

/**
 * One fleet for each scope. It begins with its first user and ends some time after the last user has left. Each user
 * has one scope at a time, so there are never more fleets than infrastructure clusters and machines. Scopes with the
 * same list share one poller.
 */
export class Fleets {
  readonly #options: FleetsOptions
  readonly #ctx: Ctx
  /** By `pollKey`. */
  readonly #pollers = new Map<string, Running>()
  /** By `scopeKey`. */
  readonly #fleets = new Map<string, Followed>()
  /** By user: the key of the fleet that it uses. */
  readonly #used = new Map<string, string>()
  /** Pollers that are ending. */
  readonly #ending = new Set<Promise<unknown>>()

  /** `ctx` is the life of the fleets, not that of one call. */
  constructor(options: FleetsOptions, ctx: Ctx) {
    this.#options = options
    this.#ctx = ctx
  }

  /** The fleet of this scope. From now on the user uses this fleet and no other. */
  of(scope: Scope, cloud: WatchedCloud, user: string): Fleet {
    const key = scopeKey(scope)
    const followed = this.#fleets.get(key) ?? this.#follow(scope, cloud)
    if (this.#used.get(user) === key) return followed.fleet
    this.leave(user)
    followed.users.add(user)
    followed.cancelEnd()
    this.#used.set(user, key)
    return followed.fleet
  }

  /** The user is gone and uses no fleet any more. */
  leave(user: string): void {
    const key = this.#used.get(user)
    const followed = key === undefined ? undefined : this.#fleets.get(key)
    this.#used.delete(user)
    if (!followed?.users.delete(user) || followed.users.size > 0) return
    followed.cancelEnd()
    followed.cancelEnd = this.#ctx.clock.after(unusedForMs, () => this.#drop(followed))
  }

  /** The instance of this id, as a fleet of that cloud last saw it. */
  find(cloud: CloudName, id: string): Instance | undefined {
    for (const { fleet } of this.#fleets.values()) {
      const found = fleet.scope.cloud === cloud ? fleet.find(id) : undefined
      if (found) return found
    }
    return undefined
  }

  /**
   * Whether the instance of this id is not ours, or not any more. The proof is a complete list that began after
   * `since`, on the monotonic clock. Without such a list nothing is foreign.
   */
  isForeign(scope: Scope, id: string, since: number): boolean {
    const said = this.#ofPlace(scope).map((fleet) => fleet.isForeign(id, since))
    return !said.includes(false) && said.includes(true)
  }

  /** Whether some fleet lists the region and account of this scope. */
  isListed(scope: Scope): boolean {
    return this.#ofPlace(scope).length > 0
  }

  /**
   * Something has changed in that region: all that is listed there is listed at once, though never more than once a
   * second. A cloud that fails still has its pause.
   */
  now(cloud: CloudName, region: string): void {
    for (const { scope, poller } of this.#pollers.values()) {
      if (scope.cloud === cloud && scope.region === region) poller.now(this.#ctx)
    }
  }

  /** Whether the cloud shows the notices of this scope, by each source that is asked. */
  notices(scope: Scope): SourceState[] {
    const { noticePollers = [] } = this.#pollers.get(pollKey(scope)) ?? {}
    return noticePollers.flatMap(({ state }) => state ?? [])
  }

  /** Resolves when every poller has ended, after the signal. */
  async ended(): Promise<void> {
    for (const { cancelEnd } of this.#fleets.values()) cancelEnd()
    await Promise.all([...this.#ending, ...[...this.#pollers.values()].map(({ ended }) => ended)])
  }

  #ofPlace({ cloud, account, region }: Scope): Fleet[] {
    const fleets = this.#fleets.values().map(({ fleet }) => fleet)
    const ofPlace = fleets.filter(({ scope }) => {
      const isOfAccount = account === undefined || scope.account === undefined || scope.account === account
      return scope.cloud === cloud && scope.region === region && isOfAccount
    })
    return [...ofPlace]
  }

  #follow(scope: Scope, cloud: WatchedCloud): Followed {
    const running = this.#pollers.get(pollKey(scope)) ?? this.#run(scope, cloud)
    running.fleets += 1
    const fleet = running.poller.follow(scope.account)
    const followed = { fleet, running, users: new Set<string>(), cancelEnd: () => {} }
    this.#fleets.set(scopeKey(scope), followed)
    this.#options.onBegin?.(scope)
    return followed
  }

  #run(first: Scope, { instances, notices }: WatchedCloud): Running {
    const { pollIntervalMs, onChange, onListed } = this.#options
    const scope = polledScope(first)
    const { cloud } = scope
    const noticePollers = this.#noticePollers(cloud, notices, () => poller.fleets)
    const poller = new Poller({
      scope,
      instances,
      pollIntervalMs,
      onChange: (machine) => onChange(cloud, machine),
      onListed: () => {
        noticePollers.forEach((one) => one.listed())
        onListed?.(cloud, scope.region)
      },
    })
    poller.follow(first.account)
    const stop = new AbortController()
    const log = this.#ctx.log.with({ scope: pollKey(scope) })
    const ctx = { ...this.#ctx, signal: AbortSignal.any([this.#ctx.signal, stop.signal]), log }
    const ended = Promise.all([poller, ...noticePollers].map((one) => one.run(ctx)))
    const running = { scope, poller, noticePollers, ended, stop, fleets: 0 }
    this.#pollers.set(pollKey(scope), running)
    return running
  }

  #noticePollers(cloud: CloudName, sources: readonly ShownNotices[] = [], fleets: () => readonly Fleet[]) {
    const { pollIntervalMs, onNotice, onNoticeList, onChange } = this.#options
    if (!onNotice) return []
    return sources.map(
      (notices) =>
        new NoticePoller({
          notices,
          fleets,
          pollIntervalMs,
          onNotice: (scope, notice) => onNotice(cloud, scope, notice),
          onList: (list) => onNoticeList?.(list),
          onChecked: (machine) => onChange(cloud, machine),
        }),
    )
  }

  #drop({ fleet, running }: Followed): void {
    this.#fleets.delete(scopeKey(fleet.scope))
    running.poller.drop(fleet)
    running.fleets -= 1
    if (running.fleets === 0) this.#stop(fleet.scope, running)
    this.#options.onEnd?.(fleet.scope)
  }

  #stop(scope: Scope, { ended, stop }: Running): void {
    const key = pollKey(scope)
    this.#ctx.log.info('Nobody uses the fleet of this scope any more; it ends', { scope: key })
    this.#pollers.delete(key)
    this.#ending.add(ended)
    void ended.finally(() => this.#ending.delete(ended))
    stop.abort(new Error('The fleet has no users.'))
  }
}
