import type { EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import { once, type Asking } from '../../instances.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import type { Ec2, Ec2Call } from './client.ts'

interface Listing<Answer> extends Ec2Call {
  readonly send: (
    ec2: EC2Client,
    options: { abortSignal: AbortSignal },
    NextToken: string | undefined,
  ) => Promise<Answer>
  /** Left out: each page is asked for once. */
  readonly asking?: Asking | undefined
}

interface Page<Answer> {
  readonly answer: Answer
  readonly isLast: boolean
}

/** Page by page, each a call of its own. */
export async function* pages<Answer extends { NextToken?: string | undefined }>(
  ec2: Ec2,
  { send, asking = once, ...call }: Listing<Answer>,
  ctx: Ctx,
): AsyncGenerator<Page<Answer>> {
  const tokens = new PageTokens()
  let token: string | undefined
  do {
    const asked = token
    const answer: Answer = await asking(() => ec2.call(call, (client, options) => send(client, options, asked), ctx))
    token = tokens.next(answer.NextToken)
    yield { answer, isLast: token === undefined }
  } while (token !== undefined)
}
