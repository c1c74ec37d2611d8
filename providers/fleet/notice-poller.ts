import { CloudError } from '../../api/cloud-error.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { Notice } from '../../api/notice.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import type { SourceState } from '../../api/rules/interruption/notice-sources.ts'
import type { Scope } from '../../api/scope.ts'
import { inSentence } from '../../api/sentence.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import type { ShownList, ShownNotices, ShownSource } from '../notices.ts'
import { isOtherAccount } from '../shared/account.ts'
import type { Fleet } from './fleet.ts'
import { Pace } from './pace.ts'
import { readShown } from './shown.ts'

interface NoticePollerOptions {
  readonly notices: ShownNotices
  /** The fleets of its place, in the order in which they are tried. */
  readonly fleets: () => readonly Fleet[]
  readonly pollIntervalMs: number
  /** Called with each notice that is shown of an instance of ours that is up. */
  readonly onNotice: (scope: Scope, notice: Notice) => void
  /** Called after each list that came through to its end. */
  readonly onList: (list: ShownList) => void
  /** Called with the tag of each machine whose instance begins to fail a check of the cloud, or passes it again. */
  readonly onChecked: (machine: string) => void
}

const inWords: Readonly<Record<ShownSource, string>> = {
  SpotRequests: 'Status of spot requests',
  Status: 'Scheduled events',
}

/**
 * Asks one source of a cloud for its notices, while an instance of ours is up that can have them. It has a pace and
 * failures of its own: a failing list of instances does not stop it, and it stops no list and no other source.
 *
 * A notice does not make the next list come sooner: the instance runs on, and the list would show no change.
 */
export class NoticePoller {
  readonly #options: NoticePollerOptions
  readonly #pace: Pace
  /** Kinds of failure that were logged since notices were last shown. */
  readonly #logged = new Set<RefusalKind | undefined>()
  /** Whether the last question was answered. Undefined: nothing was asked, or not since the last instance ended. */
  #last: { readonly failure: unknown } | 'answered' | undefined
  #nextList = Promise.withResolvers<void>()

  constructor(options: NoticePollerOptions) {
    this.#options = options
    this.#pace = new Pace(options.notices.everyMs ?? options.pollIntervalMs)
  }

  /** The fleets have a new list. */
  listed(): void {
    this.#nextList.resolve()
    this.#nextList = Promise.withResolvers()
  }

  /** Undefined: no instance is up that a notice could be about. */
  get state(): SourceState | undefined {
    const source = inWords[this.#options.notices.source]
    if (this.#last === undefined) return undefined
    if (this.#last === 'answered') return { source, works: true, message: 'The cloud shows them.' }
    return { source, works: false, message: `The cloud does not show them. ${whyOf(this.#last.failure)}` }
  }

  /** Asks until the signal fires. */
  async run(ctx: Ctx): Promise<void> {
    while (!ctx.signal.aborted) {
      const { fleets: all, notices } = this.#options
      const fleets = all().filter((fleet) => fleet.hasUp(notices.concerns))
      if (fleets.length === 0) {
        this.#last = undefined
        await unlessAborted(this.#nextList.promise, ctx.signal).catch(() => {})
      } else {
        await this.#askOnce(fleets, ctx)
        await this.#pace.wait(ctx, () => false)
      }
    }
  }

  /** The credentials are of one account: the adapter refuses the fleets of others before it sends anything. */
  async #askOnce(fleets: readonly Fleet[], ctx: Ctx): Promise<void> {
    let failure: unknown
    for (const fleet of fleets) {
      try {
        await this.#ask(fleet, ctx)
        this.#pace.listed(false)
        this.#logged.clear()
        this.#last = 'answered'
        return
      } catch (thrown) {
        failure = thrown
        if (!isOfOtherAccount(thrown)) break
      }
    }
    this.#last = { failure }
    // The cloud has not failed where we refused to ask it.
    if (isOfOtherAccount(failure)) this.#pace.listed(false)
    else this.#pace.failed(failure)
    if (!ctx.signal.aborted) this.#log(failure, ctx)
  }

  async #ask(fleet: Fleet, ctx: Ctx): Promise<void> {
    const { notices, fleets, onNotice, onList, onChecked } = this.#options
    const { scope } = fleet
    const asked = { notices, fleet, fleets, onNotice: (notice: Notice) => onNotice(scope, notice) }
    const { list, impaired } = await readShown(asked, ctx)
    onList(list)
    if (impaired) for (const machine of fleet.store.checked(impaired)) onChecked(machine)
  }

  #log(failure: unknown, { log }: Ctx): void {
    const kind = failure instanceof CloudError ? failure.kind : undefined
    if (this.#logged.has(kind)) return
    this.#logged.add(kind)
    log.warn('The cloud does not tell its notices', { source: this.#options.notices.source, error: failure })
  }
}

function whyOf(failure: unknown): string {
  return failure instanceof CloudError ? `${inSentence(failure)}.` : String(failure)
}

function isOfOtherAccount(thrown: unknown): boolean {
  return thrown instanceof CloudError && isOtherAccount(thrown)
}
