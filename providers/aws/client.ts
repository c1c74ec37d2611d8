import { EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../api/ctx.ts'
import type { Scope } from '../instances.ts'
import { toCloudError } from './errors.ts'

/** The calls that we make. Each has a bucket of its own at EC2. */
export type Ec2Action = 'RunInstances' | 'DescribeInstances' | 'TerminateInstances' | 'DescribeImages'

/**
 * EC2, a client a scope. Endpoint and credentials come from the SDK's own variables, files and roles. Retries are ours
 * alone: EC2 says "no capacity" with HTTP 500, which the SDK would ask again, blindly.
 */
export class Ec2 {
  #clients = new Map<string, EC2Client>()

  /** One call of ours. Whatever goes wrong is a CloudError. */
  async call<T>(
    { scope, action }: { scope: Scope; action: Ec2Action },
    send: (client: EC2Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    ctx: Ctx,
  ): Promise<T> {
    try {
      return await send(this.#client(scope), { abortSignal: ctx.signal })
    } catch (thrown) {
      ctx.log.debug('EC2 refused a call', { action, error: thrown })
      throw toCloudError(thrown)
    }
  }

  #client({ identity, region }: Scope): EC2Client {
    const key = `${identity}/${region}`
    let client = this.#clients.get(key)
    if (!client) {
      client = new EC2Client({
        region,
        maxAttempts: 1,
        requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
      })
      this.#clients.set(key, client)
    }
    return client
  }
}
