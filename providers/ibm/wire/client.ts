import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { refuseOtherAccount } from '../../shared/account.ts'
import type { CloudSettings } from '../../cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { givenUp } from '../../errors.ts'
import type { Scope } from '../../../api/scope.ts'
import type { BucketLimits } from '../../wire/bucket.ts'
import { Limiter } from '../../wire/limiter.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { refuseWhileHeld, sendCounted, type Sent } from '../../wire/send-counted.ts'
import { WhileUsed } from '../../wire/while-used.ts'
import { ibmBuckets, isWrite, turnFor, type VpcAction, type WantedTurn } from './buckets.ts'
import { vpcEndpoint } from './endpoint.ts'
import { toFailure, toRefusal } from './errors.ts'
import { requestToken, Tokens } from './credentials.ts'
import { Transport, type Request } from './transport.ts'

/** The date of the API that we speak: what IBM changed in it after that, it does not do to us. */
const version = '2026-08-04'

export interface VpcCall<T> extends WantedTurn {
  readonly scope: Scope
  readonly action: VpcAction
  readonly request: Omit<Request, 'headers' | 'form' | 'signal'>
  /** What the answer says; throws `ForeignAnswer` where it is none of IBM's. */
  readonly read: (answer: unknown) => T
}

interface Access {
  readonly transport: Transport
  readonly limiter: Limiter
  readonly tokens: Tokens
}

/**
 * IBM Cloud VPC: a connection, a limiter and a token for each identity and region. Endpoints and the API key come from
 * the variables of `endpoint.ts`. Nothing is sent twice in here.
 */
export class Vpc {
  readonly #settings: CloudSettings
  readonly #buckets: Readonly<Record<string, BucketLimits>>
  readonly #accesses = new WhileUsed<Access>()

  constructor(settings: CloudSettings = {}) {
    this.#settings = settings
    this.#buckets = { ...ibmBuckets, ...settings.grantedLimits }
  }

  /** One call of ours, when its turn has come. Whatever goes wrong is a CloudError. */
  async call<T>(call: VpcCall<T>, ctx: Ctx): Promise<T> {
    const { scope, action, request, read } = call
    const access = this.#accessTo(scope, ctx)
    return this.#inTurn(
      call,
      async (sent) => {
        // Before it has a token nothing was sent: a failure of IAM leaves nothing open.
        const { accessToken, account } = await access.tokens.get(() => this.#askToken(scope, ctx), ctx)
        refuseOtherAccount(scope.account, account)
        if (isWrite(action)) refuseWhileHeld(this.#settings)
        if (ctx.signal.aborted) throw givenUp(ctx.signal)
        const send = async () => {
          const query = { version, generation: 2, ...request.query }
          const headers = { Authorization: `Bearer ${accessToken}` }
          using deadline = new Deadline(longestCallMs, () => new Error('IBM Cloud gave no answer in time.'), ctx)
          const reply = await access.transport.send({ ...request, query, headers, signal: deadline.signal })
          if (reply.status === 401) access.tokens.forget()
          if (reply.status < 200 || reply.status > 299) throw toRefusal(reply, isWrite(action))
          return read(reply.body)
        }
        return sendCounted({ sent, send, errorOf: (thrown) => toFailure(thrown, isWrite(action)) }, this.#settings, ctx)
      },
      ctx,
    )
  }

  /** The account that our API key is of; undefined where that is not known. */
  async accountOf(scope: Scope, ctx: Ctx): Promise<string | undefined> {
    try {
      const { account } = await this.#accessTo(scope, ctx).tokens.get(() => this.#askToken(scope, ctx), ctx)
      return account
    } catch (thrown) {
      if (thrown instanceof CloudError) return undefined
      throw thrown
    }
  }

  async #askToken(scope: Scope, ctx: Ctx): ReturnType<typeof requestToken> {
    const wanted = { scope, action: 'get_token', maxWaitMs: Infinity } as const
    try {
      const send = () => requestToken(ctx)
      const errorOf = (thrown: unknown) => toFailure(thrown, isWrite(wanted.action))
      return await this.#inTurn(wanted, (sent) => sendCounted({ sent, send, errorOf }, this.#settings, ctx), ctx)
    } catch (thrown) {
      if (!(thrown instanceof CloudError) || thrown.kind !== 'throttled') throw thrown
      // IAM's limits are not those of VPC: the call that needs the token must not slow down others of its kind.
      const { code, message, retryAfterMs } = thrown
      throw new CloudError('transient', { code, message, retryAfterMs })
    }
  }

  async #inTurn<T>(wanted: WantedTurn & { scope: Scope }, act: (sent: Sent) => Promise<T>, ctx: Ctx): Promise<T> {
    const { scope, action } = wanted
    const asked = ctx.clock.monotonic()
    const { limiter } = this.#accessTo(scope, ctx)
    return limiter.run(turnFor(wanted), () => act({ scope, action, waitedMs: ctx.clock.monotonic() - asked }), ctx)
  }

  #accessTo({ identity, region }: Scope, { clock }: Ctx): Access {
    const make = () => {
      const transport = new Transport(vpcEndpoint(region), longestCallMs)
      return { transport, limiter: new Limiter(this.#buckets), tokens: new Tokens() }
    }
    return this.#accesses.get(`${identity}/${region}`, make, clock.monotonic())
  }
}
