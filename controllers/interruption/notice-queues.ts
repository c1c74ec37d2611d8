import type { Ctx } from '../../api/ctx.ts'
import type { CloudName } from '../../api/scope.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { SourceState } from '../../api/rules/interruption/notice-sources.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { InterruptionSeries } from '../shared/interruption-series.ts'
import type { NoticeSources } from '../shared/notice-sources.ts'
import type { HeldNotices } from './held-notices.ts'
import { instanceOf, type Intake } from './intake.ts'
import type { RefusedNotices } from './refused-notices.ts'

export interface NoticeQueuesDeps {
  readonly queues: readonly { readonly cloud: CloudName; readonly url: string }[]
  readonly cloud: (name: CloudName) => Promise<Cloud>
  readonly intake: Pick<Intake, 'fromQueue'>
  readonly refused: RefusedNotices
  readonly series: Pick<InterruptionSeries, 'queueAge'>
  readonly held: Pick<HeldNotices, 'arrived'>
  readonly ofCloud: (name: CloudName) => Pick<Cache<InfraMachine>, 'onChange'>
}

interface QueueState extends SourceState {
  readonly cloud: CloudName
  /** Undefined: the queue may be of any region. */
  readonly region: string | undefined
}

/** Receives from the queues that the operator named. */
export class NoticeQueues {
  readonly #deps: NoticeQueuesDeps
  /** By URL. A queue that has not answered yet has none. */
  readonly #states = new Map<string, QueueState>()

  constructor(deps: NoticeQueuesDeps) {
    this.#deps = deps
  }

  /** The queues with the notices of this scope. */
  readonly sources: NoticeSources = ({ scope }) =>
    [...this.#states.values()]
      .filter(({ cloud, region = scope.region }) => cloud === scope.cloud && region === scope.region)
      .map(({ source, works, message }) => ({ source, works, message }))

  /** Receives until the signal fires. */
  async run(ctx: Ctx): Promise<void> {
    const { queues, held, ofCloud } = this.#deps
    const stops = [...new Set(queues.map(({ cloud }) => cloud))].map((cloud) =>
      ofCloud(cloud).onChange(({ after }) => {
        for (const id of after ? instanceOf(after) : []) held.arrived(cloud, id)
      }),
    )
    try {
      await Promise.all(queues.map((queue) => this.#receive(queue, ctx)))
    } finally {
      for (const stop of stops) stop()
    }
  }

  async #receive({ cloud: name, url }: NoticeQueuesDeps['queues'][number], ctx: Ctx): Promise<void> {
    const { cloud, intake, refused, series } = this.#deps
    const queue = (await cloud(name)).noticeQueue?.(url)
    if (!queue) return
    const of = { cloud: name, region: queue.region, source: `Queue ${url}` }
    await queue.receive(
      {
        take: (delivery, own) => intake.fromQueue(delivery, own),
        aged: (seconds) => series.queueAge(name, queue.region ?? '', seconds),
        refused: (result) => refused.add(name, { source: 'Queue', kind: 'None' }, result),
        answers: (why) => this.#states.set(url, { ...of, works: why === undefined, message: why ?? 'It answers.' }),
      },
      ctx,
    )
  }
}
