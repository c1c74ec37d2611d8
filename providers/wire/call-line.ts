import type { CloudError } from '../../api/cloud-error.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { Scope } from '../../api/scope.ts'
import type { CloudSettings } from '../cloud.ts'
import type { BucketLimits } from './bucket.ts'
import { Limiter, type Turn } from './limiter.ts'
import { refuseWhileHeld, sendCounted } from './send-counted.ts'
import { WhileUsed } from './while-used.ts'

interface LineOptions {
  /** As the cloud documents them; what `settings` grants comes before. */
  readonly buckets: Readonly<Record<string, BucketLimits>>
  /** Scopes with the same key draw on the same buckets of the cloud. */
  readonly keyOf: (scope: Scope) => string
  readonly settings: CloudSettings
}

interface OneRequest<T> {
  readonly action: string
  /** It changes something, so it is not sent while writes are held. */
  readonly isWrite: boolean
  readonly send: () => Promise<T>
  /** The failure as the cloud's table has it. */
  readonly errorOf: (thrown: unknown) => CloudError
}

/** Sends one request within a turn. */
export type SendOne = <T>(request: OneRequest<T>) => Promise<T>

/** The one path of every call to a cloud: it waits for its turn, is refused while writes are held, and is counted. */
export class CallLine {
  readonly #settings: CloudSettings
  readonly #keyOf: (scope: Scope) => string
  readonly #buckets: Readonly<Record<string, BucketLimits>>
  readonly #limiters = new WhileUsed<Limiter>()

  constructor({ buckets, keyOf, settings }: LineOptions) {
    this.#buckets = { ...buckets, ...settings.grantedLimits }
    this.#keyOf = keyOf
    this.#settings = settings
  }

  /** Runs `act` when the turn has come. The wait counts for the first request that `act` sends. */
  run<T>({ scope, turn }: { scope: Scope; turn: Turn }, act: (send: SendOne) => Promise<T>, ctx: Ctx): Promise<T> {
    const { clock } = ctx
    const limiter = this.#limiters.get(this.#keyOf(scope), () => new Limiter(this.#buckets), clock.monotonic())
    let waitsSince: number | undefined = clock.monotonic()
    const sendOne: SendOne = async ({ action, isWrite, send, errorOf }) => {
      if (isWrite) refuseWhileHeld(this.#settings)
      const waitedMs = waitsSince === undefined ? 0 : clock.monotonic() - waitsSince
      waitsSince = undefined
      return sendCounted({ sent: { scope, action, waitedMs }, send, errorOf }, this.#settings, ctx)
    }
    return limiter.run(turn, () => act(sendOne), ctx)
  }
}
