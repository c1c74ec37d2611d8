import {
  DescribeCapacityReservationsCommand,
  TerminateInstancesCommand,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'
import type { ReservationTerms } from './supply/reservations.ts'
import { onDemand, reserved } from './traps/trap.ts'

const terms: ReservationTerms = { instanceType: 'm5.large', zone: 'us-east-1a', count: 2, match: 'targeted' }
const exceeded = {
  code: 'ReservationCapacityExceeded',
  status: 400,
  message: 'The requested reservation does not have sufficient compatible and available capacity for this request.',
}

const launchIn = (ec2: Ec2Fixture, id: string, over: Partial<RunInstancesCommandInput> = {}) =>
  ec2.launch({ ...onDemand, ...reserved(id), ...over })

async function available(ec2: Ec2Fixture, id: string) {
  const command = new DescribeCapacityReservationsCommand({ CapacityReservationIds: [id] })
  const { CapacityReservations = [] } = await ec2.client.send(command)
  return CapacityReservations.map((one) => [one.State, one.TotalInstanceCount, one.AvailableInstanceCount])
}

test('launches that name a reservation succeed while it has room, whatever EC2 has otherwise', async () => {
  await using ec2 = await startEc2()
  const { control } = ec2.simulator
  const id = control.reserve(terms)
  control.noCapacity()
  const first = (await launchIn(ec2, id)).Instances?.[0]
  expect(first).toMatchObject({
    CapacityReservationId: id,
    CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: id } },
  })
  expect(await available(ec2, id)).toEqual([['active', 2, 1]])
  await launchIn(ec2, id)
  expect(await available(ec2, id)).toEqual([['active', 2, 0]])
  expect(await refusalOf(launchIn(ec2, id))).toEqual(exceeded)
  expect(await refusalOf(ec2.launch(onDemand))).toMatchObject({ code: 'InsufficientInstanceCapacity' })

  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [first?.InstanceId ?? ''] }))
  expect(await available(ec2, id)).toEqual([['active', 2, 0]])
  await ec2.clock.advance(1000)
  expect(await available(ec2, id)).toEqual([['active', 2, 1]])
  await launchIn(ec2, id)
})

test('a launch of several gets what there is, or nothing when that is less than it needs', async () => {
  await using ec2 = await startEc2({ reservations: [terms] })
  const [id = ''] = ec2.simulator.control.reservations().map((one) => one.id)
  expect(await refusalOf(launchIn(ec2, id, { MinCount: 3, MaxCount: 5 }))).toEqual(exceeded)
  const { Instances } = await launchIn(ec2, id, { MinCount: 1, MaxCount: 5 })
  expect(Instances).toHaveLength(2)
})

test.each<[string, Partial<RunInstancesCommandInput>]>([
  ['of another type', { InstanceType: 'm5.xlarge' }],
  ['in another zone', { NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: 'subnet-0c1a0000000000020' }] }],
])('a launch %s does not fit', async (_, over) => {
  await using ec2 = await startEc2()
  const id = ec2.simulator.control.reserve(terms)
  expect(await refusalOf(launchIn(ec2, id, over))).toEqual(exceeded)
})

test('an open reservation is used unasked by what fits on demand, and by nothing else', async () => {
  await using ec2 = await startEc2()
  const id = ec2.simulator.control.reserve({ ...terms, match: 'open' })
  const where = async (over: Partial<RunInstancesCommandInput>) =>
    (await ec2.launch({ ...onDemand, ...over })).Instances?.[0]?.CapacityReservationId
  expect(await where({ InstanceMarketOptions: { MarketType: 'spot' } })).toBeUndefined()
  expect(await where({ InstanceType: 'm5.xlarge' })).toBeUndefined()
  expect(await where(reserved(undefined, 'none'))).toBeUndefined()
  expect(await where({})).toBe(id)
  expect(await where(reserved(undefined, 'capacity-reservations-only'))).toBe(id)
  // Now it is full: who may, runs elsewhere.
  expect(await where({})).toBeUndefined()
  expect(await refusalOf(where(reserved(undefined, 'capacity-reservations-only')))).toEqual(exceeded)
})

test('neither a targeted reservation nor a capacity block is used unasked', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.reserve(terms)
  ec2.simulator.control.reserve({ ...terms, match: 'open', kind: 'capacity-block' })
  const { Instances } = await ec2.launch(onDemand)
  expect(Instances?.[0]?.InstanceId).toBeDefined()
  expect(Instances?.[0]?.CapacityReservationId).toBeUndefined()
})

test('a capacity block is for its own market, between its beginning and its end', async () => {
  await using ec2 = await startEc2()
  const { json } = await ec2.control('reserve', {
    ...terms,
    match: undefined,
    kind: 'capacity-block',
    in: '10m',
    for: '24h',
  })
  const { id } = json as { id: string }
  const block = { InstanceMarketOptions: { MarketType: 'capacity-block' as const } }
  expect(await available(ec2, id)).toEqual([['pending', 2, 0]])
  expect(await refusalOf(launchIn(ec2, id, block))).toMatchObject({
    code: 'InvalidCapacityReservationState.PendingActivation',
  })
  await ec2.clock.advance(600_000)
  expect(await refusalOf(launchIn(ec2, id))).toMatchObject({ code: 'InvalidParameterCombination' })
  const { Instances } = await launchIn(ec2, id, block)
  expect(Instances).toMatchObject([{ InstanceLifecycle: 'capacity-block', CapacityReservationId: id }])
  expect(Instances?.[0]?.SpotInstanceRequestId).toBeUndefined()
  await ec2.clock.advance(24 * 3_600_000)
  expect(await available(ec2, id)).toEqual([['expired', 2, 0]])
  expect(await refusalOf(launchIn(ec2, id, block))).toMatchObject({ code: 'InvalidCapacityReservationState' })
})

test('a cancelled reservation takes nobody in, and is still listed', async () => {
  await using ec2 = await startEc2()
  const id = ec2.simulator.control.reserve(terms)
  ec2.simulator.control.reserve({ ...terms, zone: 'us-east-1b' })
  await ec2.control('cancel-reservation', { id })
  expect(await refusalOf(launchIn(ec2, id))).toMatchObject({ code: 'InvalidCapacityReservationState' })
  expect((await ec2.control('reservations')).json).toMatchObject([{ id, state: 'cancelled' }, { state: 'active' }])
  const Filters = [{ Name: 'state', Values: ['active'] }]
  const { CapacityReservations } = await ec2.client.send(new DescribeCapacityReservationsCommand({ Filters }))
  expect(CapacityReservations).toMatchObject([{ AvailabilityZone: 'us-east-1b', InstanceMatchCriteria: 'targeted' }])
})

test.each(['capacity-reservation-id', 'reservation-type'])(
  'EC2 lists reservations without a filter %s',
  async (Name) => {
    await using ec2 = await startEc2({ reservations: [terms] })
    const Filters = [{ Name, Values: ['cr-0123456789abcdef0'] }]
    const listed = ec2.client.send(new DescribeCapacityReservationsCommand({ Filters }))
    expect(await refusalOf(listed)).toMatchObject({ code: 'InvalidParameterValue' })
  },
)
