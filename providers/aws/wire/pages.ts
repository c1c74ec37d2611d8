import type { EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import { retryPage } from '../../wire/retry-page.ts'
import type { Ec2, Ec2Call } from './client.ts'

interface Listing<Answer, Read> extends Ec2Call {
  readonly send: (
    ec2: EC2Client,
    options: { abortSignal: AbortSignal },
    NextToken: string | undefined,
  ) => Promise<Answer>
  /** Throws where the answer does not come from EC2. */
  readonly read: (answer: Answer) => Read
  /** A page that was refused is requested again: for the list of the fleet. */
  readonly retriesPages?: boolean
}

interface Page<Read> {
  readonly read: Read
  readonly isLast: boolean
}

/** Page by page, each a call of its own. */
export async function* pages<Answer extends { NextToken?: string | undefined }, Read>(
  ec2: Ec2,
  { send, read, retriesPages, ...call }: Listing<Answer, Read>,
  ctx: Ctx,
): AsyncGenerator<Page<Read>> {
  const tokens = new PageTokens()
  let token: string | undefined
  do {
    const asked = token
    const request = async () => {
      const answer: Answer = await ec2.call(call, (client, options) => send(client, options, asked), ctx)
      return { read: read(answer), next: answer.NextToken }
    }
    const page = await (retriesPages ? retryPage(request, ctx) : request())
    token = tokens.next(page.next)
    yield { read: page.read, isLast: token === undefined }
  } while (token !== undefined)
}
