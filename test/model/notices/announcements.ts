import type { Notice } from '../../../api/notice.ts'
import { refuseOtherAccount } from '../../../providers/shared/account.ts'
import type { ShownNotices } from '../../../providers/notices.ts'
import type { LyingCloud } from '../lying-cloud.ts'
import type { Process } from '../process.ts'
import type { Wire } from '../wire.ts'

/** The notices that the cloud shows. It shows them for long after the end, and those of strangers with our mark too. */
export class Announcements {
  #shown: Notice[] = []
  readonly #wire: Wire
  readonly #cloud: LyingCloud

  constructor(parts: { readonly wire: Wire; readonly cloud: LyingCloud }) {
    this.#wire = parts.wire
    this.#cloud = parts.cloud
  }

  show(notice: Notice): void {
    this.#shown.push(notice)
  }

  clear(): void {
    this.#shown = []
  }

  /** As one process sees them. */
  for(process: Process): ShownNotices {
    const ask = (account: string | undefined) =>
      this.#wire.call(process, 'notices', () => {
        refuseOtherAccount(account, this.#cloud.account)
        return this.#cloud.isElsewhere ? [] : [...this.#shown]
      })
    return {
      source: 'SpotRequests',
      concerns: ({ capacityType }) => capacityType === 'Spot',
      async *list({ account }) {
        yield { notices: await ask(account) }
      },
    }
  }
}
