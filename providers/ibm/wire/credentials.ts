import type { Ctx } from '../../../api/ctx.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import { readToken, type Token } from './answers.ts'
import { apiKey, iamEndpoint } from './endpoint.ts'
import { toRefusal } from './errors.ts'
import { Transport } from './transport.ts'

const timeoutMs = 10_000

/** A token that is nearly over might be over when it arrives. */
const goodShare = 0.9

/**
 * The token with which every call says who we are: one for all, asked for anew before it ends, or when VPC does not
 * take it any more. `ask` is what makes the call to IAM; only who finds none that is good has to wait for it.
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

/** Asks IAM for a token, with the API key as it is set now. Throws what `toFailure` understands. */
export async function requestToken({ signal }: Ctx): Promise<Token> {
  const reply = await new Transport(iamEndpoint(), timeoutMs).send({
    method: 'POST',
    form: { grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: apiKey(), response_type: 'cloud_iam' },
    signal,
  })
  if (reply.status !== 200) throw toRefusal(reply, false)
  return readToken(reply.body)
}
