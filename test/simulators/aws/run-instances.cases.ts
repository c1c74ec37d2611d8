import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'
import { contents } from './traps/contents.ts'
import { namesAndNumbers } from './traps/names.ts'
import { places } from './traps/places.ts'
import { reservationTerms } from './traps/reservations.ts'
import { spotTerms } from './traps/spot.ts'
import { base64, subnet } from './traps/trap.ts'
import { volumes } from './traps/volumes.ts'
import { standardWorld } from './world.ts'

const traps = [...namesAndNumbers, ...places, ...spotTerms, ...reservationTerms, ...contents, ...volumes]

describe('RunInstances refuses', () => {
  let ec2: Ec2Fixture
  beforeAll(async () => {
    ec2 = await startEc2()
  })
  afterAll(() => ec2[Symbol.asyncDispose]())

  test.each(traps)('$trap', async ({ said, code, status = 400, message }) => {
    const launched = ec2.simulator.control.instances().length
    const refusal = await refusalOf(ec2.launch(said))
    expect(refusal).toEqual({ code, status, message: expect.stringContaining(message) as string })
    expect(ec2.simulator.control.instances()).toHaveLength(launched)
  })

  test.each(['ImageId', 'InstanceType', 'MinCount', 'MaxCount'])('a request without %s', async (left) => {
    const usual: Record<string, string> = { ImageId: 'ami-0', InstanceType: 'm5.large', MinCount: '1', MaxCount: '1' }
    const { [left]: _, ...rest } = usual
    const answer = await ec2.raw({ Action: 'RunInstances', Version: '2016-11-15', ...rest })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(
      `<Code>MissingParameter</Code><Message>The request must contain the parameter ${left}<`,
    )
  })

  test.each([
    ['at the top', 'FallbackInstanceType', 'FallbackInstanceType'],
    ['inside a structure', 'NetworkInterface.1.Subnet', 'Subnet'],
    ['for the plural of a parameter', 'SecurityGroupIds.1', 'SecurityGroupIds'],
  ])('an unknown parameter %s', async (_, parameter, leaf) => {
    const required = { ImageId: 'ami-0', InstanceType: 'm5.large', MinCount: '1', MaxCount: '1' }
    const answer = await ec2.raw({ Action: 'RunInstances', Version: '2016-11-15', ...required, [parameter]: 'x' })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`<Code>UnknownParameter</Code><Message>The parameter ${leaf} is not recognized<`)
  })

  test('what it does not simulate, and says so', async () => {
    const refusal = await refusalOf(ec2.launch({ CpuOptions: { CoreCount: 1 } }))
    expect(refusal).toMatchObject({ code: 'UnsupportedOperation' })
    expect(refusal.message).toContain('This simulator of EC2 does not simulate the parameter CpuOptions.')
  })

  test('an address that another instance has', async () => {
    const address = { NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnet, PrivateIpAddress: '10.0.0.77' }] }
    await ec2.launch(address)
    expect(await refusalOf(ec2.launch(address))).toMatchObject({ code: 'InvalidIPAddress.InUse' })
  })
})

test('a dry run is refused in either case: for what is wrong, or for being dry', async () => {
  await using ec2 = await startEc2()
  expect(await refusalOf(ec2.launch({ DryRun: true }))).toMatchObject({ code: 'DryRunOperation', status: 412 })
  expect(await refusalOf(ec2.launch({ DryRun: true, KeyName: 'gone' }))).toMatchObject({
    code: 'InvalidKeyPair.NotFound',
  })
  expect(ec2.simulator.control.instances()).toEqual([])
})

test('user data of exactly 16 KB is taken', async () => {
  await using ec2 = await startEc2()
  await expect(ec2.launchOne({ UserData: base64('x'.repeat(16_384)) })).resolves.toMatch(/^i-0[0-9a-f]{16}$/)
})

test('a full subnet has room for no more; with MinCount 1 it gives what it has', async () => {
  const world = standardWorld()
  const subnets = world.subnets.map((one) => (one.id === subnet ? { ...one, cidr: '10.0.0.0/28' } : one))
  await using ec2 = await startEc2({ world: { ...world, subnets } })
  const three = await ec2.launch({ MinCount: 3, MaxCount: 3 })
  expect(three.Instances).toHaveLength(3)
  expect(await refusalOf(ec2.launch({ MinCount: 9, MaxCount: 9 }))).toMatchObject({
    code: 'InsufficientFreeAddressesInSubnet',
    status: 400,
  })
  const rest = await ec2.launch({ MinCount: 1, MaxCount: 100 })
  expect(rest.Instances).toHaveLength(8) // A /28 has 16 addresses, of which EC2 keeps five.
})

test('an instance on demand without a subnet goes where its type is offered', async () => {
  await using ec2 = await startEc2()
  const [one] =
    (
      await ec2.launch({
        InstanceType: 'inf2.xlarge',
        NetworkInterfaces: undefined,
        InstanceMarketOptions: undefined,
        Placement: { AvailabilityZone: 'us-east-1c' },
      })
    ).Instances ?? []
  expect(one).toMatchObject({
    Placement: { AvailabilityZone: 'us-east-1c' },
    VpcId: 'vpc-0d0f0000000000001',
    SecurityGroups: [{ GroupId: 'sg-0d0f0000000000001', GroupName: 'default' }],
  })
  expect(one?.InstanceLifecycle).toBeUndefined()
  expect(one?.SpotInstanceRequestId).toBeUndefined()
})
