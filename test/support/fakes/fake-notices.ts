import type { Instance } from '../../../api/instance.ts'
import type { Notice } from '../../../api/notice.ts'
import type { Scope } from '../../../api/scope.ts'
import { refuseOtherAccount } from '../../../providers/shared/account.ts'
import type { Impairment, ShownNotices, ShownPage, ShownSource } from '../../../providers/notices.ts'

/** A source of notices in memory, each on a page of its own. Left out: spot requests, in each poll. */
export class FakeNotices implements ShownNotices {
  readonly source: ShownSource
  readonly everyMs?: number
  readonly concerns: ShownNotices['concerns']
  readonly shown: Notice[] = []
  readonly over: Notice[] = []
  /** Undefined: the source knows no checks. */
  impaired: Impairment[] | undefined
  /** The scopes that were asked for. */
  readonly asked: Scope[] = []
  /** What the next lists throw after their pages. */
  fault: Error | undefined
  /** Of the credentials. */
  account: string | undefined

  constructor({ source = 'SpotRequests', everyMs, concerns = isSpot }: Partial<Omit<ShownNotices, 'list'>> = {}) {
    this.source = source
    if (everyMs !== undefined) this.everyMs = everyMs
    this.concerns = concerns
  }

  async *list(scope: Scope): AsyncIterable<ShownPage> {
    this.asked.push(scope)
    refuseOtherAccount(scope.account, this.account)
    const { over, impaired } = this
    yield { notices: [], over, ...(impaired ? { impaired } : {}) }
    for (const notice of this.shown) yield { notices: [await Promise.resolve(notice)] }
    if (this.fault) throw this.fault
  }

  /** The cloud takes this instance back. */
  announce(instance: string, at = 0): void {
    this.shown.push({ instance, kind: 'Spot', at, deadline: at + 120_000, source: this.source })
  }
}

function isSpot({ capacityType }: Instance): boolean {
  return capacityType === 'Spot'
}
