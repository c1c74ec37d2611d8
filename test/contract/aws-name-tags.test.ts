import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { awsCloud } from '../../providers/aws/cloud.ts'
import { once } from '../../providers/instances.ts'
import type { Instance } from '../../api/instance.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { startEc2, type Ec2Fixture } from '../simulators/aws/fixture.ts'

const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const

/** EC2 counts 256 characters, whatever they are; these are two code units each. */
const longestName = '😀'.repeat(256)

let ec2: Ec2Fixture
beforeEach(async () => {
  ec2 = await startEc2()
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASPOTEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not-a-secret')
  vi.stubEnv('AWS_ENDPOINT_URL_EC2', ec2.simulator.url)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await ec2[Symbol.asyncDispose]()
})

// `additionalTags.Name` is a tenant's, and one list serves all tenants of an account and region.
it('no Name that a tenant gives its instance keeps the list of the account from all others', async () => {
  const tagged = (owner: string, Name: string) => [
    {
      ResourceType: 'instance' as const,
      Tags: [
        { Key: 'spot.cluster.x-k8s.io/owner-id', Value: owner },
        { Key: 'Name', Value: Name },
      ],
    },
  ]
  const ids = [
    await ec2.launchOne({ TagSpecifications: tagged('ownerone01', longestName) }),
    await ec2.launchOne({ TagSpecifications: tagged('ownertwo02', 'm1') }),
  ]
  const listed: Instance[] = []
  const { instances } = awsCloud()
  for await (const { items } of instances.list(scope, quietCtx({ clock: ec2.clock }), once)) listed.push(...items)
  expect(listed.map(({ id }) => id)).toEqual(ids)
})
