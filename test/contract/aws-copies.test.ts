import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { awsCloud } from '../../providers/aws/cloud.ts'
import { once } from '../../providers/instances.ts'
import type { Instance } from '../../api/instance.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { startEc2, type Ec2Fixture } from '../simulators/aws/fixture.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
const Tags = [
  ['spot.cluster.x-k8s.io/owner-id', ours.owner],
  ['spot.cluster.x-k8s.io/machine', ours.machine],
  ['spot.cluster.x-k8s.io/attempt', ours.token],
].map(([Key, Value]) => ({ Key, Value }))
const TagSpecifications = [{ ResourceType: 'instance' as const, Tags }]

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

// "Launch more like this" and a launch template made from an instance copy its tags and come with another client token.
it.each([
  ['another client token', 'the-consoles-own'],
  ['no client token', ''],
])(
  'a copy of an instance with its tags and %s is nobody of ours: not listed as ours, never ended',
  async (_, token) => {
    const original = await ec2.launchOne({ ClientToken: ours.token, TagSpecifications })
    const copy = await ec2.launchOne({ ClientToken: token, TagSpecifications })
    const { instances } = awsCloud()
    const ctx = quietCtx({ clock: ec2.clock })

    const listed: Instance[] = []
    for await (const { items } of instances.list(scope, ctx, once)) listed.push(...items)
    expect(listed.filter((one) => isOwnedBy(one, tagOf(ours))).map(({ id }) => id)).toEqual([original])
    expect(await instances.find({ scope, tag: tagOf(ours) }, ctx)).toMatchObject({ id: original })
    const ended = instances.terminate({ scope, id: copy, tag: tagOf(ours) }, ctx)
    await expect(ended).rejects.toMatchObject({ kind: 'conflict' })
    expect((await ec2.look(copy)).State?.Name).not.toBe('shutting-down')
  },
)
