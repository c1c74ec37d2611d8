import { afterEach, beforeEach, vi } from 'vitest'
import { startEc2, type Ec2Fixture } from './fixture.ts'

/** Each test has a simulator, and an environment in which clients of these services find it. Returns this one. */
export function useEc2(...services: readonly ('EC2' | 'SQS')[]): () => Ec2Fixture {
  let ec2: Ec2Fixture
  beforeEach(async () => {
    ec2 = await startEc2()
    for (const service of services) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, ec2.simulator.url)
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    vi.stubEnv('AWS_REGION', ec2.simulator.facts.region)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await ec2[Symbol.asyncDispose]()
  })
  return () => ec2
}
