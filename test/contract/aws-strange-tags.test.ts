import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Instance } from '../../api/instance.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { awsCloud } from '../../providers/aws/cloud.ts'
import type { Instances } from '../../providers/instances.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { startEc2, type Ec2Fixture } from '../simulators/aws/fixture.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { asUsed } from './rig.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const

/** EC2 counts 256 characters, whatever they are; these are two code units each. */
const longestName = '😀'.repeat(256)

let ec2: Ec2Fixture
let instances: Instances
const ctx = () => quietCtx({ clock: ec2.clock })

beforeEach(async () => {
  ec2 = await startEc2()
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASPOTEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not-a-secret')
  vi.stubEnv('AWS_ENDPOINT_URL_EC2', ec2.simulator.url)
  instances = asUsed(awsCloud()).instances
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await ec2[Symbol.asyncDispose]()
})

const tagged = (tags: Readonly<Record<string, string>>) => [
  { ResourceType: 'instance' as const, Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) },
]

async function listAll(): Promise<Instance[]> {
  const listed: Instance[] = []
  for await (const { items } of instances.list(scope, ctx())) listed.push(...items)
  return listed
}

// "Launch more like this" and a launch template made from an instance copy its tags and come with another client token.
it.each([
  ['another client token', 'the-consoles-own'],
  ['no client token', ''],
])('a copy of an instance with its tags and %s is not ours: not listed as ours, never ended', async (_, token) => {
  const TagSpecifications = tagged({
    'spot.cluster.x-k8s.io/owner-id': ours.owner,
    'spot.cluster.x-k8s.io/machine': ours.machine,
    'spot.cluster.x-k8s.io/attempt': ours.token,
  })
  const original = await ec2.launchOne({ ClientToken: ours.token, TagSpecifications })
  const copy = await ec2.launchOne({ ClientToken: token, TagSpecifications })
  const owned = (await listAll()).filter((one) => isOwnedBy(one, tagOf(ours)))
  expect(owned.map(({ id }) => id)).toEqual([original])
  expect(await instances.find({ scope, tag: tagOf(ours) }, ctx())).toMatchObject({ id: original })
  const ended = instances.terminate({ scope, id: copy, tag: tagOf(ours) }, ctx())
  await expect(ended).rejects.toMatchObject({ kind: 'conflict' })
  expect((await ec2.look(copy)).State?.Name).not.toBe('shutting-down')
})

// `additionalTags.Name` is a tenant's, and one list serves all tenants of an account and region.
it('no Name that a tenant gives its instance keeps the list of the account from all others', async () => {
  const named = (owner: string, Name: string) => tagged({ 'spot.cluster.x-k8s.io/owner-id': owner, Name })
  const ids = [
    await ec2.launchOne({ TagSpecifications: named('ownerone01', longestName) }),
    await ec2.launchOne({ TagSpecifications: named('ownertwo02', 'm1') }),
  ]
  expect((await listAll()).map(({ id }) => id)).toEqual(ids)
})
