import type { Options } from '../../../config/options.ts'
import type { HeldNotices } from '../../interruption/held-notices.ts'
import { NoticeQueues, type NoticeQueuesDeps } from '../../interruption/notice-queues.ts'
import type { NoticeSources } from '../../shared/notice-sources.ts'
import type { Running } from '../part.ts'

/** What the part takes from the others. */
export interface NoticeQueueNeeds extends Omit<NoticeQueuesDeps, 'queues'> {
  readonly held: HeldNotices
  readonly options: Pick<Options, 'awsInterruptionQueues'>
}

/** Notices from queues. Without the option there is nothing to run. */
export function noticeQueuesPart(needs: NoticeQueueNeeds): Running & { readonly sources: NoticeSources } {
  const queues = needs.options.awsInterruptionQueues.map((url) => ({ cloud: 'aws' as const, url }))
  const receiving = new NoticeQueues({ ...needs, queues })
  return {
    caches: [],
    controllers: queues.length > 0 ? [{ name: 'Notice queues', run: (ctx) => receiving.run(ctx) }] : [],
    sources: receiving.sources,
  }
}
