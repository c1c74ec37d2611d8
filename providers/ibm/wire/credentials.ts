import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { growingPauseMs } from '../../wire/growing-pause.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import { readToken, type Token } from './answers.ts'
import { apiKey, iamEndpoint } from './endpoint.ts'
import { toRefusal } from './errors.ts'
import { Transport } from './transport.ts'

const timeoutMs = 10_000

/** A token near its end might be over when it arrives. */
const goodShare = 0.9

const pauses = { firstMs: 1_000, mostMs: 60_000 }

interface Refused {
  readonly error: CloudError
  readonly failures: number
  readonly until: number
}

/**
 * The token of every call: one for all, renewed before its end, or when VPC does not accept it. `ask` makes the call to
 * IAM; only a caller without a good token waits for it. A refusal is one for all, too: until a growing pause is over
 * every caller gets it again. Many callers with a wrong key would otherwise ask IAM as often as its bucket allows.
 */
export class Tokens {
  readonly #tokens = new TtlCache<Token>({ keepMs: ({ lifeMs }) => lifeMs * goodShare })
  #generation = 1
  #refused: Refused | undefined

  get(ask: () => Promise<Token>, ctx: Ctx): Promise<Token> {
    return this.#tokens.get(`token ${this.#generation}`, () => this.#unlessRefused(ask, ctx), ctx)
  }

  /** VPC refused it. */
  forget(): void {
    this.#generation += 1
  }

  async #unlessRefused(ask: () => Promise<Token>, { clock, signal }: Ctx): Promise<Token> {
    if (this.#refused && clock.monotonic() < this.#refused.until) throw this.#refused.error
    try {
      const token = await ask()
      this.#refused = undefined
      return token
    } catch (thrown) {
      if (thrown instanceof CloudError && !signal.aborted) this.#keep(thrown, clock.monotonic())
      throw thrown
    }
  }

  #keep(error: CloudError, nowMs: number): void {
    const failures = (this.#refused?.failures ?? 0) + 1
    const pauseMs = Math.max(growingPauseMs(failures, pauses), error.retryAfterMs ?? 0)
    this.#refused = { error, failures, until: nowMs + pauseMs }
  }
}

/** Asks IAM for a token, with the API key as it is set now. `toFailure` reads its errors. */
export async function requestToken({ signal }: Ctx): Promise<Token> {
  const reply = await new Transport(iamEndpoint(), timeoutMs).send({
    method: 'POST',
    form: { grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: apiKey(), response_type: 'cloud_iam' },
    signal,
  })
  if (reply.status !== 200) throw toRefusal(reply, false)
  return readToken(reply.body)
}
