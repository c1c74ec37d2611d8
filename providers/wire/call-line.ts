import type { CloudError } from '../../api/cloud-error.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { Scope } from '../../api/scope.ts'
import type { CallMade, CloudSettings } from '../cloud.ts'
import { areWritesHeld, writesHeld } from '../errors.ts'
import type { BucketLimits } from './bucket.ts'
import { Limiter, type Priority, type Turn } from './limiter.ts'
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
      if (isWrite) {
        refuseWhileHeld(this.#settings)
        const refusal = turn.refuseIf?.()
        if (refusal) throw refusal
      }
      const waitedMs = waitsSince === undefined ? 0 : clock.monotonic() - waitsSince
      waitsSince = undefined
      return sendCounted({ sent: { scope, action, waitedMs }, send, errorOf }, this.#settings, ctx)
    }
    return limiter.run(turn, () => act(sendOne), ctx)
  }
}

/** A call as its caller asks for it. */
export interface WantedTurn<Action extends string> {
  readonly action: Action
  /** The attempt's token. A caller that is sent away and comes back with the same token has kept its place. */
  readonly key?: string
  /** The tenant, for calls that wait for each other. */
  readonly whose?: string
  /** `Infinity` for a caller that holds no worker, like a poller. */
  readonly maxWaitMs?: number
  readonly refuseIf?: Turn['refuseIf']
}

/** The tokens that a call takes: one of its own bucket, and these of others. */
export interface Needs<Bucket extends string = string> {
  readonly bucket: Bucket
  readonly also?: Readonly<Partial<Record<Bucket, number>>>
  readonly priority: Priority
}

interface TurnTable<Action extends string, Bucket extends string> {
  readonly buckets: Readonly<Record<Bucket, BucketLimits>>
  readonly needsOf: (action: Action) => Needs<Bucket>
  /** A caller that holds a worker waits for so many turns of the slowest bucket. */
  readonly turnsWaitedFor?: number
}

/** A caller that holds a worker never waits longer than this. */
export const longestWaitMs = 2_000

/** Turns a cloud's calls into turns of its limiter. */
export function turnsOf<Action extends string, Bucket extends string>({
  buckets,
  needsOf,
  turnsWaitedFor = 4,
}: TurnTable<Action, Bucket>): (wanted: WantedTurn<Action>) => Turn {
  const msForOne = ({ bucket, also }: Needs<Bucket>) => {
    const takes = Object.entries({ [bucket]: 1, ...also }) as [Bucket, number][]
    return Math.max(...takes.map(([name, tokens]) => (tokens / buckets[name].perSecond) * 1_000))
  }
  return ({ action, key, whose, maxWaitMs, refuseIf }) => {
    const needs = needsOf(action)
    const { bucket, also, priority } = needs
    return {
      bucket,
      ...(also ? { also: also as Readonly<Record<string, number>> } : {}),
      priority,
      ...(key === undefined ? {} : { key }),
      ...(whose === undefined ? {} : { whose }),
      ...(refuseIf ? { refuseIf } : {}),
      maxWaitMs: maxWaitMs ?? Math.min(longestWaitMs, turnsWaitedFor * msForOne(needs)),
    }
  }
}

/**
 * Called right before a write, with nothing to wait for in between. Its turn or its token may have come long after the
 * caller asked, and the whole process may have stood still meanwhile.
 */
export function refuseWhileHeld({ held }: CloudSettings): void {
  const why = held?.()
  if (why !== undefined) throw writesHeld(why)
}

interface Sending<T> {
  readonly sent: Pick<CallMade, 'scope' | 'action' | 'waitedMs'>
  readonly send: () => Promise<T>
  /** The failure as the cloud's table has it. */
  readonly errorOf: (thrown: unknown) => CloudError
}

/** Sends one request, logs it, and counts it. */
export async function sendCounted<T>(
  { sent, send, errorOf }: Sending<T>,
  settings: CloudSettings,
  ctx: Ctx,
): Promise<T> {
  const begun = ctx.clock.monotonic()
  /** Undefined: it was never sent. */
  let code: string | undefined = 'OK'
  try {
    return await send()
  } catch (thrown) {
    const error = errorOf(thrown)
    code = areWritesHeld(error) ? undefined : error.code
    const { scope, action } = sent
    // A look that finds nothing has its answer.
    if (code !== undefined && error.kind !== 'missing') {
      ctx.log.debug('The cloud refused a call', { cloud: scope.cloud, action, code, cause: error.message })
    }
    throw error
  } finally {
    if (code !== undefined) {
      const made = { ...sent, code, ms: ctx.clock.monotonic() - begun }
      const { scope, ...line } = made
      ctx.log.trace('Asked the cloud', { cloud: scope.cloud, region: scope.region, ...line })
      settings.onCall?.(made)
    }
  }
}
