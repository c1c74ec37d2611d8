import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { refuseOtherAccount } from '../../shared/account.ts'
import type { CloudSettings } from '../../cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { givenUp } from '../../errors.ts'
import { pollKey, type Scope } from '../../../api/scope.ts'
import { CallLine, type WantedTurn } from '../../wire/call-line.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { WhileUsed } from '../../wire/while-used.ts'
import { ibmBuckets, isWrite, turnFor, type VpcAction } from './buckets.ts'
import { vpcEndpoint } from './endpoint.ts'
import { toFailure, toRefusal } from './errors.ts'
import { requestToken, Tokens } from './credentials.ts'
import { Transport, type Request } from './transport.ts'

/** The version of the API that we use: later changes of IBM do not apply to us. */
const version = '2026-08-04'

export interface VpcCall<T> extends WantedTurn<VpcAction> {
  readonly scope: Scope
  readonly request: Omit<Request, 'headers' | 'form' | 'signal'>
  /** Reads the answer; throws `ForeignAnswer` for one that is not IBM's. */
  readonly read: (answer: unknown) => T
}

interface Access {
  readonly transport: Transport
  readonly tokens: Tokens
}

/** An identity in a region: it has its own connection and token, and its own buckets at IBM. */
/** IBM Cloud VPC. Endpoints and the API key come from the variables of `endpoint.ts`. Nothing is sent twice in here. */
export class Vpc {
  readonly #line: CallLine
  readonly #accesses = new WhileUsed<Access>()

  constructor(settings: CloudSettings = {}) {
    this.#line = new CallLine({ buckets: ibmBuckets, keyOf: pollKey, settings })
  }

  /** One call of ours, when its turn has come. Every failure is a CloudError. */
  async call<T>(call: VpcCall<T>, ctx: Ctx): Promise<T> {
    const { scope, action, request, read } = call
    const access = this.#accessTo(scope, ctx)
    return this.#line.run(
      { scope, turn: turnFor(call) },
      async (sendOne) => {
        // Before there is a token nothing was sent, so a failure of IAM leaves nothing open.
        const { accessToken, account } = await access.tokens.get(() => this.#askToken(scope, ctx), ctx)
        refuseOtherAccount(scope.account, account)
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
        const errorOf = (thrown: unknown) => toFailure(thrown, isWrite(action))
        return sendOne({ action, isWrite: isWrite(action), send, errorOf })
      },
      ctx,
    )
  }

  /** The account of our API key; undefined where it is not known. */
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
    const action = 'get_token'
    const request = { action, isWrite: false, send: () => requestToken(ctx), errorOf: ofToken }
    try {
      const turn = turnFor({ action, maxWaitMs: Infinity })
      return await this.#line.run({ scope, turn }, (sendOne) => sendOne(request), ctx)
    } catch (thrown) {
      if (!(thrown instanceof CloudError) || thrown.kind !== 'throttled') throw thrown
      // IAM's limits are not those of VPC: its refusal must not slow down the bucket of the call that needs the token.
      const { code, message, retryAfterMs } = thrown
      throw new CloudError('transient', { code, message, retryAfterMs })
    }
  }

  #accessTo(scope: Scope, { clock }: Ctx): Access {
    const make = () => ({
      transport: new Transport(vpcEndpoint(scope.region), longestCallMs),
      tokens: new Tokens(),
    })
    return this.#accesses.get(pollKey(scope), make, clock.monotonic())
  }
}

function ofToken(thrown: unknown): CloudError {
  return toFailure(thrown, false)
}
