import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { startAwsSimulator, type AwsSimulator } from '../../../test/simulators/aws/simulator.ts'
import { standardWorld } from '../../../test/simulators/aws/world.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Scope } from '../../../api/scope.ts'
import { Ec2 } from '../wire/client.ts'
import { Lookups } from './lookups.ts'

/** The standard account, with two images of one name more: which is newest is not which comes first. */
function world() {
  const standard = standardWorld()
  const [image, ...others] = standard.images
  if (!image) throw new Error('The standard world has an image')
  const older = { ...image, id: 'ami-0c1a00000000000a1', created: '2025-12-01T00:00:00.000Z' }
  const newer = {
    ...image,
    id: 'ami-0c1a00000000000a2',
    created: '2026-02-01T00:00:00.000Z',
    deprecated: '2026-02-01T00:00:00.000Z',
  }
  return { ...standard, images: [older, newer, image, ...others] }
}

const scope: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
let clock: FakeClock
let simulator: AwsSimulator
let lookups: Lookups
const ctx = () => quietCtx({ clock })

beforeEach(async () => {
  clock = new FakeClock()
  simulator = await startAwsSimulator({ clock, world: world() })
  vi.stubEnv('AWS_ENDPOINT_URL_EC2', simulator.url)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  lookups = new Lookups(new Ec2())
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await simulator.close()
})

function calls(): string[] {
  return simulator.control.requests().map(({ action }) => action)
}

describe('an instance type', () => {
  it('is known with its processor and its devices', async () => {
    expect(await lookups.instanceType('g5.12xlarge', scope, ctx())).toEqual({
      architecture: 'x86_64',
      cpus: 48,
      memoryMiB: 196_608,
      devices: { 'nvidia.com/gpu': 4 },
    })
    expect(await lookups.instanceType('inf2.xlarge', scope, ctx())).toMatchObject({
      devices: { 'aws.amazon.com/neuron': 1 },
    })
    expect(await lookups.instanceType('m7g.large', scope, ctx())).toMatchObject({ architecture: 'arm64' })
  })

  it('that is not there is no error', async () => {
    expect(await lookups.instanceType('m9.huge', scope, ctx())).toBeUndefined()
  })
})

describe('an image', () => {
  const query = { owner: '819546954734', name: 'capa-ami-ubuntu-24.04-?1.36.3-*', architecture: 'x86_64' } as const

  it('that a thousand others have the name of is not looked for: whoever writes the name could keep us busy', async () => {
    const standard = standardWorld()
    const [image] = standard.images
    if (!image) throw new Error('The standard world has an image')
    const many = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ ...image, id: `ami-${(i + 1).toString(16).padStart(17, '0')}` }))
    await simulator.close()
    simulator = await startAwsSimulator({ clock, world: { ...standard, images: many(2_000) } })
    vi.stubEnv('AWS_ENDPOINT_URL_EC2', simulator.url)
    lookups = new Lookups(new Ec2())
    const anything = { ...query, name: '*' }
    const refused = { kind: 'invalid', message: expect.stringContaining('More than 1000 images') as string }
    await expect(lookups.newestImage(anything, scope, ctx())).rejects.toMatchObject(refused)
    const asked = calls().length
    expect(asked).toBeLessThanOrEqual(5)
    await expect(lookups.newestImage(anything, scope, ctx())).rejects.toMatchObject(refused)
    expect(calls()).toHaveLength(asked)
  })

  it('is the newest of those that fit, whatever comes first', async () => {
    expect(await lookups.newestImage(query, scope, ctx())).toMatchObject({ id: 'ami-0c1a00000000000a2' })
    const arm64 = await lookups.newestImage({ ...query, architecture: 'arm64' }, scope, ctx())
    expect(arm64).toMatchObject({ id: 'ami-0c1a0000000000002' })
  })

  it('is of its owner alone', async () => {
    expect(await lookups.newestImage({ ...query, owner: '111122223333' }, scope, ctx())).toBeUndefined()
  })

  it('is known by its id with its root device', async () => {
    const id = simulator.facts.image
    expect(await lookups.image(id, scope, ctx())).toMatchObject({ id, rootDevice: '/dev/sda1', isWindows: false })
    expect(await lookups.image('ami-0000000000000dead', scope, ctx())).toBeUndefined()
  })

  it('is known by its id when it is deprecated, and is no longer the newest of a name', async () => {
    await clock.advance(31 * 24 * 3_600_000)
    expect(await lookups.image('ami-0c1a00000000000a2', scope, ctx())).toMatchObject({ id: 'ami-0c1a00000000000a2' })
    expect(await lookups.newestImage(query, scope, ctx())).toMatchObject({ id: 'ami-0c1a0000000000001' })
  })

  it.each(['ami-0c1a0000000000fff', 'ami-1', 'web'])(
    'of which EC2 says that there is none (%s) is none',
    async (id) => {
      expect(await lookups.image(id, scope, ctx())).toBeUndefined()
    },
  )
})

describe('the network', () => {
  it('has subnets with their zones, found by filters', async () => {
    const filters = [
      { name: 'vpc-id', values: [simulator.facts.vpc] },
      { name: 'tag:Name', values: ['spot-*'] },
    ]
    const found = await lookups.subnets(filters, scope, ctx())
    expect(found.map(({ zone }) => zone)).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c'])
    expect(found.map(({ isPublic }) => isPublic)).toEqual([false, false, false])
    const [everybody] = await lookups.subnets([{ name: 'default-for-az', values: ['true'] }], scope, ctx())
    expect(everybody).toMatchObject({ isPublic: true })
  })

  it('has security groups, found by filters', async () => {
    const filters = [{ name: 'group-name', values: ['spot-*'] }]
    expect(await lookups.securityGroups(filters, scope, ctx())).toEqual([
      'sg-0c1a0000000000001',
      'sg-0c1a0000000000002',
    ])
  })

  it('has no such filter: EC2’s own words', async () => {
    const wrong = lookups.subnets([{ name: 'color', values: ['red'] }], scope, ctx())
    await expect(wrong).rejects.toThrow("The filter 'color' is invalid")
    await expect(wrong).rejects.toMatchObject({ kind: 'invalid' })
  })
})

it('a list whose pages lead back to one that was read before is no answer', async () => {
  simulator.control.spoilNext('DescribeSubnets', 'repeated-token', 30)
  const asked = lookups.subnets([{ name: 'vpc-id', values: [simulator.facts.vpc] }], scope, ctx())
  await expect(asked).rejects.toMatchObject({ kind: 'transient', code: 'EndlessList' })
  expect(calls().length).toBeLessThan(5)
})

describe('what was asked', () => {
  const ask = () => lookups.instanceType('m5.large', scope, ctx())

  it('is asked once by all who ask at the same time, and by nobody after that for a day', async () => {
    await Promise.all(Array.from({ length: 50 }, ask))
    await clock.advance(23 * 3_600_000)
    await ask()
    expect(calls()).toEqual(['DescribeInstanceTypes'])
    await clock.advance(3_600_000)
    await ask()
    expect(calls()).toHaveLength(2)
  })

  it('without an answer is asked again at once', async () => {
    simulator.control.failNext('DescribeInstanceTypes', 1, { code: 'InternalError', message: 'Oops.' })
    await expect(ask()).rejects.toBeInstanceOf(CloudError)
    await expect(ask()).resolves.toBeDefined()
  })

  it('in vain is asked again after half a minute, by one for all', async () => {
    const inVain = () => lookups.instanceType('m9.huge', scope, ctx())
    for (let n = 0; n < 5; n++) await inVain()
    expect(calls()).toHaveLength(1)
    await clock.advance(30_000)
    await inVain()
    expect(calls()).toHaveLength(2)
  })

  it('is asked for each identity and region by itself', async () => {
    await ask()
    await lookups.instanceType('m5.large', { ...scope, identity: 'other' }, ctx())
    expect(calls()).toHaveLength(2)
  })
})

describe('where a type is offered', () => {
  it('is told by zones', async () => {
    expect(await lookups.zonesOffering('g5.xlarge', scope, ctx())).toEqual(['us-east-1a', 'us-east-1b'])
    expect(await lookups.zonesOffering('m9.huge', scope, ctx())).toEqual([])
  })

  it.each(['UnauthorizedOperation', 'InvalidAction'])('nobody has to be allowed to ask: %s', async (code) => {
    simulator.control.failNext('DescribeInstanceTypeOfferings', 1, { code, message: 'No.', status: 400 })
    expect(await lookups.zonesOffering('m5.large', scope, ctx())).toEqual([])
    await lookups.zonesOffering('m5.large', scope, ctx())
    expect(calls()).toHaveLength(1)
  })

  it('is not guessed while EC2 is out of order', async () => {
    simulator.control.failNext('DescribeInstanceTypeOfferings', 1, { code: 'InternalError', message: 'Oops.' })
    await expect(lookups.zonesOffering('m5.large', scope, ctx())).rejects.toMatchObject({ kind: 'ambiguous' })
  })
})

it('a list of several pages is read to its end', async () => {
  const pages: Record<string, { items: string[]; NextToken?: string }> = {
    '': { items: ['subnet-3', 'subnet-1'], NextToken: 'second' },
    second: { items: [], NextToken: 'third' },
    third: { items: ['subnet-2'] },
  }
  const send = (command: { input: { NextToken?: string } }) => {
    const { items = [], NextToken } = pages[command.input.NextToken ?? ''] ?? {}
    return Promise.resolve({ Subnets: items.map((SubnetId) => ({ SubnetId })), NextToken })
  }
  const ec2 = { call: (_: object, ask: (client: object, options: object) => unknown) => ask({ send }, {}) }
  const found = await new Lookups(ec2 as unknown as Ec2).subnets([], scope, ctx())
  expect(found.map(({ id }) => id)).toEqual(['subnet-1', 'subnet-2', 'subnet-3'])
})
