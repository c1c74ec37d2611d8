import { EC2Client } from '@aws-sdk/client-ec2'
import type { Scope } from '../instances.ts'

/**
 * A client for each scope, made once. Endpoint and credentials come from the SDK's own variables, files and roles.
 * Retries are ours alone: EC2 says "no capacity" with HTTP 500, which the SDK would ask again, blindly.
 */
export class Ec2Clients {
  #clients = new Map<string, EC2Client>()

  for({ identity, region }: Scope): EC2Client {
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
