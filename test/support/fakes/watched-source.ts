import type { Announcement, ConditionType } from '../../../controllers/agent/announcement.ts'
import type { Answer, Call } from '../../../controllers/agent/request.ts'
import type { Metadata, Source } from '../../../controllers/agent/sources/source.ts'
import { FakeClock } from './fake-clock.ts'
import { keptLog } from './quiet-ctx.ts'

type Reply = (call: Call) => Answer | Promise<Answer>

/** A source of the agent in front of a metadata service that a test plays. */
export class Watched {
  readonly clock = new FakeClock()
  readonly log = keptLog()
  readonly calls: Call[] = []
  /** In place of the usual answers. */
  answer: Reply | undefined
  readonly #said = new Map<ConditionType, Announcement>()
  readonly #usual: Reply
  readonly #sourceOf: (metadata: Metadata) => Source
  #isRunning = false

  constructor(sourceOf: (metadata: Metadata) => Source, usual: Reply) {
    this.#sourceOf = sourceOf
    this.#usual = usual
  }

  /** Lets it run for so long. The first time it starts. */
  async during(ms: number): Promise<void> {
    if (!this.#isRunning) void this.#start()
    this.#isRunning = true
    await this.clock.advance(ms)
  }

  /** What stands announced now. */
  said(): Partial<Record<ConditionType, Announcement>> {
    return Object.fromEntries(this.#said)
  }

  #start(): Promise<void> {
    const request = async (call: Call) => {
      this.calls.push(call)
      return (this.answer ?? this.#usual)(call)
    }
    const source = this.#sourceOf({ endpoint: 'http://metadata.test', request })
    const { signal } = new AbortController()
    return source(
      (type, announced) => {
        if (announced) this.#said.set(type, announced)
        else this.#said.delete(type)
      },
      { clock: this.clock, log: this.log, signal },
    )
  }
}
