import { beforeEach, describe, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
})

const refusal = (refusedKind: RefusalKind, code: string) =>
  new CloudError(refusedKind, { code, message: `${code} said.` })

describe('a definite refusal', () => {
  it.each([
    ['capacity', 'InsufficientInstanceCapacity', 'InsufficientCapacity'],
    ['quota', 'VcpuLimitExceeded', 'QuotaExceeded'],
    ['price', 'SpotMaxPriceTooLow', 'MaxPriceTooLow'],
    ['reservation', 'ReservationCapacityExceeded', 'ReservationUnavailable'],
    ['invalid', 'InvalidAMIID.NotFound', 'InvalidConfiguration'],
  ] as const)('of kind %s fails the machine once, with %s, and asks no more', async (refusedKind, code, reason) => {
    world.cloud.createFaults.push({ when: 'before', error: refusal(refusedKind, code) })
    await world.pass()
    await world.pass()
    await world.restart()
    await world.pass()
    expect(world.cloud.count('create')).toBe(1)
    expect(world.ready).toMatchObject({ status: 'False', reason })
    expect(world.ready?.message).toContain(code)
    expect(world.events.filter((event) => event.reason === reason)).toHaveLength(1)
  })

  it('of the credentials is not the machine’s fault: it waits, and launches when they are mended', async () => {
    world.cloud.createFaults.push({ when: 'before', error: refusal('denied', 'UnauthorizedOperation') })
    expect(await world.pass()).toMatchObject({ requeueAfterMs: 300_000 })
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
    await world.clock.advance(299_999)
    await world.pass()
    expect(world.cloud.count('create')).toBe(1)
    await world.clock.advance(1)
    await world.pass()
    expect(world.cloud.instances.size).toBe(1)
  })

  it('that is nobody’s fault is asked again after 1, 2, 4 … s, whatever wakes the machine meanwhile', async () => {
    const failures = Array.from({ length: 4 }, () => ({
      when: 'before' as const,
      error: refusal('transient', 'Unavailable'),
    }))
    world.cloud.createFaults.push(...failures)
    const times: number[] = []
    const begun = world.clock.now()
    for (let tick = 0; tick < 160; tick++) {
      const before = world.cloud.count('create')
      await world.pass()
      if (world.cloud.count('create') > before) times.push(world.clock.now() - begun)
      await world.clock.advance(100)
    }
    expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000])
    expect(world.cloud.instances.size).toBe(1)
  })

  it('for good is kept though core writes to the machine meanwhile, and is not asked for a second time', async () => {
    const create = world.cloud.create.bind(world.cloud)
    world.cloud.createFaults.push({ when: 'before', error: refusal('capacity', 'InsufficientInstanceCapacity') })
    world.cloud.create = (want, ctx) => {
      const { metadata, ...rest } = world.machine ?? { metadata: { name: '' } }
      world.apiserver.put(kind, {
        ...rest,
        metadata: { ...metadata, labels: { ...metadata.labels, written: 'by-core' } },
      })
      return create(want, ctx)
    }
    await world.pass()
    await world.pass()
    expect(world.machine?.metadata.labels).toMatchObject({ written: 'by-core' })
    expect(world.attempt?.refused).toMatchObject({ kind: 'capacity' })
    expect(world.cloud.count('create')).toBe(1)
  })

  it('waits as long as the cloud asks for', async () => {
    const error = new CloudError('throttled', {
      code: 'RequestLimitExceeded',
      message: 'Slow down.',
      retryAfterMs: 7_000,
    })
    world.cloud.createFaults.push({ when: 'before', error })
    expect(await world.pass()).toMatchObject({ requeueAfterMs: 7_000 })
  })

  it('of a full subnet after a lost answer is followed by the next subnet only when nothing can come of the lost one', async () => {
    const lost = { when: 'before' as const, error: refusal('ambiguous', 'ETIMEDOUT') }
    const full = () => ({ when: 'before' as const, error: refusal('subnet', 'InsufficientFreeAddressesInSubnet') })
    world.cloud.createFaults.push(lost, full(), full())
    await world.pass()
    await world.clock.advance(1_000)
    await world.pass()
    expect(world.attempt).toMatchObject({ n: 1, token: 'token-1' })
    await world.clock.advance(118_000)
    await world.pass()
    expect(world.cloud.count('create')).toBe(2)
    await world.clock.advance(2_000)
    await world.pass()
    expect(world.attempt).toMatchObject({ n: 2, token: 'token-2', exclude: ['subnet-a'] })
  })

  it('of a full subnet is followed by the next subnet, each a new attempt, until none is left', async () => {
    const full = () => ({ when: 'before' as const, error: refusal('subnet', 'InsufficientFreeAddressesInSubnet') })
    world.cloud.createFaults.push(full(), full(), full())
    expect(await world.pass()).toMatchObject({ requeueAfterMs: 0 })
    expect(world.attempt).toMatchObject({ n: 2, token: 'token-2', exclude: ['subnet-a'], at: { subnet: 'subnet-b' } })
    const tried = { rung: 0, kind: 'subnet', code: 'InsufficientFreeAddressesInSubnet' }
    const firstRefusedAt = rfc3339(world.clock.now())
    expect(world.attempt).toMatchObject({ choice: { rung: 0, subnet: 'subnet-b' }, tried: [tried], firstRefusedAt })
    await world.pass()
    await world.pass()
    await world.pass()
    expect(world.attempt).toMatchObject({
      triedCount: 2,
      firstRefusedAt,
      refused: { kind: 'subnet', at: firstRefusedAt },
    })
    expect(world.cloud.calls.filter(({ call }) => call === 'create').map(({ token }) => token)).toEqual([
      'token-1',
      'token-2',
      'token-3',
    ])
    expect(world.cloud.requests.map(({ place }) => place)).toEqual(['subnet-a', 'subnet-b', 'subnet-c'])
    expect(world.ready).toMatchObject({ status: 'False', reason: 'SubnetFull' })
  })
})

describe('what a launch needs and is not to be had', () => {
  const noSubnet = new CloudError('invalid', { code: 'InvalidSpec', message: 'spec.network.subnets has none.' })

  it('is told without that anything was asked for, and is looked for again after 1, 2, 4 … s', async () => {
    world.planFault = noSubnet
    expect(await world.pass()).toMatchObject({ requeueAfterMs: 1_000 })
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'InvalidConfiguration' })
    expect(world.ready?.message).toMatch(/^The launch cannot start: .+spec\.network\.subnets.+within 5 minutes/)
    expect(await world.pass(), 'woken meanwhile').toMatchObject({ requeueAfterMs: 1_000 })
    await world.clock.advance(1_000)
    expect(await world.pass()).toMatchObject({ requeueAfterMs: 2_000 })
    expect(world.attempt).toBeUndefined()
    expect(world.events.filter(({ reason }) => reason === 'InvalidConfiguration')).toMatchObject([{ type: 'Warning' }])

    world.planFault = undefined
    await world.clock.advance(2_000)
    await world.pass()
    expect(world.cloud.instances.size).toBe(1)
  })

  it('is looked for at once when somebody has corrected the infrastructure cluster', async () => {
    world.planFault = noSubnet
    await world.pass()
    world.planFault = undefined
    await world.pass()
    expect(world.cloud.instances.size, 'nothing has changed').toBe(0)
    const cluster = world.apiserver.get('AWSCluster', 'default/c1') ?? { metadata: { name: '' } }
    world.apiserver.put('AWSCluster', { ...cluster, metadata: { ...cluster.metadata, generation: 2 } })
    await world.pass()
    expect(world.cloud.instances.size).toBe(1)
  })
})
