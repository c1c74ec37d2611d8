import type { Ctx } from '../../../api/ctx.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import { readToken, type Token } from './answers.ts'
import { apiKey, iamEndpoint } from './endpoint.ts'
import { toRefusal } from './errors.ts'
import { Transport } from './transport.ts'

const timeoutMs = 10_000

/** A token near its end might be over when it arrives. */
const goodShare = 0.9

/**
 * The token of every call: one for all, renewed before its end, or when VPC does not accept it. `ask` makes the call to
 * IAM; only a caller without a good token waits for it.
 */
export class Tokens {
  readonly #tokens = new TtlCache<Token>({ keepMs: ({ lifeMs }) => lifeMs * goodShare })
  #generation = 1

  get(ask: () => Promise<Token>, ctx: Ctx): Promise<Token> {
    return this.#tokens.get(`token ${this.#generation}`, ask, ctx)
  }

  /** VPC refused it. */
  forget(): void {
    this.#generation += 1
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
