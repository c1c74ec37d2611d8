import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { longestCallMs, visibilityGraceMs } from '../../../providers/wire/limits.ts'
import { annotations } from '../../../api/labels.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'
import { ApiError } from '../../runtime/client/api-error.ts'

it('without its attempt, what its providerID names is gone when no list has shown it for long, and no look is claimed', async () => {
  const world = new MachineWorld()
  await world.pass()
  await world.listed()
  await world.pass()
  const providerID = world.machine?.spec.providerID ?? ''
  const { annotations: _, ...metadata } = world.machine?.metadata ?? { name: '' }
  world.apiserver.put(kind, { ...world.machine, metadata, status: {} } as never)
  world.cloud.instances.clear()
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.ready?.status).toBe('Unknown')
  await world.clock.advance(visibilityGraceMs)
  await world.pass()
  expect(world.ready).toMatchObject({
    status: 'False',
    reason: 'InstanceGone',
    message: `For 90 s no list of the account showed an instance of this machine with the providerID ${providerID}, and the annotation with the launch attempt is lost. Replace the Machine.`,
  })
  expect(world.cloud.count('find')).toBe(0)
})

/** A machine whose instance runs, and whose object was put back as it was before anything was asked for. */
async function putBack(deletionTimestamp?: string): Promise<MachineWorld> {
  const world = new MachineWorld()
  await world.pass()
  await world.listed()
  await world.pass()
  const { metadata = { name: '' }, ...rest } = world.machine ?? {}
  const bare = { ...metadata, annotations: {}, ...(deletionTimestamp ? { deletionTimestamp } : {}) }
  world.apiserver.put(kind, { ...rest, metadata: bare, spec: {}, status: {} } as never)
  const cluster = world.apiserver.get('AWSCluster', 'default/c1')
  world.apiserver.put('AWSCluster', { ...cluster, status: { initialization: { provisioned: true } } } as never)
  await world.restart()
  return world
}

it('an adoption that could not be written buys nothing in the same pass, and is written by the next', async () => {
  const world = await putBack()
  await world.pass()
  await world.listed()
  let refused = 0
  world.apiserver.beforeWrite = (patch) => {
    if (JSON.stringify(patch).includes(annotations.attempt) && refused++ === 0) {
      throw new ApiError({ status: 500, reason: 'InternalError', message: 'etcdserver: leader changed' })
    }
  }
  expect(await world.pass()).toBeInstanceOf(ApiError)
  expect(world.cloud.count('create')).toBe(1)
  await world.pass()
  expect(world.attempt?.handle).toBe([...world.cloud.instances.keys()][0])
  expect(world.cloud.count('create')).toBe(1)
})

it('an adopted instance has the offering that was bought, so that its end is told of that', async () => {
  const world = await putBack()
  const [id = ''] = world.cloud.instances.keys()
  world.cloud.set(id, 'running', { capacityType: 'OnDemand', instanceType: 'm5a.large', zone: 'us-east-1b' })
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.attempt).toMatchObject({ handle: id, offering: 'OnDemand:m5a.large:us-east-1b' })
  expect(world.attempt).not.toHaveProperty('choice')
})

it('an adopted instance of which the cloud does not show what was bought is adopted without an offering', async () => {
  const world = await putBack()
  const [id = ''] = world.cloud.instances.keys()
  world.cloud.set(id, 'running', { instanceType: '', zone: '' })
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.attempt?.handle).toBe(id)
  expect(world.attempt).not.toHaveProperty('offering')
})

it('nothing is adopted before the finalizer is written: a delete would lose it', async () => {
  const world = await putBack()
  await world.pass()
  await world.listed()
  const { metadata = { name: '' }, ...rest } = world.machine ?? {}
  world.apiserver.put(kind, { ...rest, metadata: { ...metadata, finalizers: [] } })
  let refused = 0
  world.apiserver.beforeWrite = (patch) => {
    const isFirst = 'metadata' in patch && 'finalizers' in (patch.metadata as object) && refused++ === 0
    if (isFirst) throw new ApiError({ status: 409, reason: 'Conflict', message: 'the object has been modified' })
  }
  expect(await world.pass()).toBeInstanceOf(ApiError)
  expect(world.attempt).toBeUndefined()
  await world.pass()
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  expect(world.attempt?.handle).toBe([...world.cloud.instances.keys()][0])
  expect(world.cloud.count('create')).toBe(1)
})

it.each(['terminating', 'terminated'] as const)(
  'what came of a create without an answer is its answer though it is %s by now: one token, one instance',
  async (state) => {
    const world = new MachineWorld()
    const lost = new CloudError('ambiguous', { code: 'ECONNRESET', message: 'socket hang up' })
    world.cloud.createFaults.push({ when: 'after', error: lost })
    await world.pass()
    await world.pass()
    const [id = ''] = world.cloud.instances.keys()
    world.cloud.set(id, state, { interrupted: true })
    await world.listed()
    await world.pass()
    expect(world.attempt?.handle).toBe(id)
    expect(world.machine?.spec.providerID).toContain(id)
    expect(world.ready).toMatchObject({ status: 'False', reason: 'Interrupted' })
    expect(world.cloud.count('create')).toBe(1)
  },
)

it('what is left of a create without an answer is no answer: the same token goes on with it', async () => {
  const world = new MachineWorld()
  const lost = new CloudError('ambiguous', { code: 'ECONNRESET', message: 'socket hang up' })
  world.cloud.createFaults.push({ when: 'after', error: lost })
  await world.pass()
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  world.cloud.set(id, 'leftover')
  await world.listed()
  await world.pass()
  expect(world.cloud.calls.filter(({ call }) => call === 'create').map(({ token }) => token)).toEqual([
    'token-1',
    'token-1',
  ])
})

it('a token whose one instance has ended is refused once, and nothing more is asked with it', async () => {
  const world = new MachineWorld()
  const message = 'The client token you have provided is associated with a terminated instance.'
  const ended = new CloudError('ended', { code: 'IdempotentInstanceTerminated', message })
  for (let times = 0; times < 100; times++) world.cloud.createFaults.push({ when: 'before', error: ended })
  for (let passes = 0; passes < 20; passes++) {
    await world.clock.advance(300_000)
    await world.pass()
  }
  expect(world.cloud.count('create')).toBe(1)
  expect(world.attempt?.refused).toMatchObject({ kind: 'ended', code: 'IdempotentInstanceTerminated' })
  expect(world.ready).toMatchObject({ status: 'False', reason: 'LaunchFailed' })
})

it('an attempt of an older copy that was refused since, and had another after it: that one has the instance', async () => {
  const { world, copy, id } = await secondAttempt()
  const asked = world.cloud.count('create')
  world.apiserver.putBack(copy)
  expect(world.attempt).toMatchObject({ n: 1 })
  expect(world.attempt?.handle).toBeUndefined()
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.attempt?.handle, 'something may come of a call that nobody remembers').toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
  expect(world.ready?.message).toContain(`Instance ${id} belongs to another launch attempt`)
  await world.clock.advance(mayComeForMs)
  await world.pass()
  expect(world.attempt?.handle).toBe(id)
  expect(world.cloud.count('create')).toBe(asked)
  expect(world.cloud.instances.size).toBe(1)
})

it('who is deleted without its attempt takes along the instance that the first list shows', async () => {
  const world = await putBack('2026-01-01T00:00:00Z')
  await world.pass()
  expect(world.machine, 'before the first list nobody knows').toBeDefined()
  await world.listed()
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  world.cloud.set(id, 'terminated')
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('who is deleted with an attempt that is none takes its instance along too', async () => {
  const world = await putBack('2026-01-01T00:00:00Z')
  const { metadata = { name: '' } } = world.machine ?? {}
  world.apiserver.put(kind, {
    ...world.machine,
    metadata: { ...metadata, annotations: { [annotations.attempt]: '{' } },
  })
  await world.pass()
  await world.listed()
  await world.pass()
  expect([...world.cloud.instances.values()].map(({ state }) => state)).toEqual(['terminating'])
})

it.each([
  ['no list ever came through', false, 'transient'],
  ['a person has to mend the credentials', true, 'denied'],
] as const)('who has nothing but a finalizer may go where %s', async (_, provisioned, why) => {
  const world = await putBack('2026-01-01T00:00:00Z')
  const cluster = world.apiserver.get('AWSCluster', 'default/c1')
  world.apiserver.put('AWSCluster', { ...cluster, status: { initialization: { provisioned } } } as never)
  world.cloud.listFault = new CloudError(why, { code: 'No', message: 'No.' })
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

/** So long a cache without our own last write is not believed. */
const ownWriteMs = 30_000
const mayComeForMs = longestCallMs + visibilityGraceMs

/** etcd was put back to before the attempt of a young instance that no list shows yet, and now lists fail. */
async function forgotten() {
  const world = new MachineWorld()
  const copy = world.apiserver.copy()
  await world.pass()
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  expect(world.attempt?.handle).toBe(id)
  world.cloud.invisible.add(id)
  await world.listed()
  world.cloud.listFault = new CloudError('transient', { code: 'PartialList', message: 'It was not complete.' })
  world.apiserver.putBack(copy)
  await world.clock.advance(ownWriteMs)
  await world.pass()
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  return { world, id }
}

it('a lost attempt is waited for until a whole list has begun late enough: while lists fail time alone proves nothing', async () => {
  const { world, id } = await forgotten()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
  world.cloud.invisible.clear()
  await world.clock.advance(2 * mayComeForMs)
  await world.pass()
  expect(world.cloud.count('create'), 'the last whole list is from before it could be shown').toBe(1)
  world.cloud.listFault = undefined
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.attempt?.handle).toBe(id)
  expect(world.cloud.count('create')).toBe(1)
})

it('a lost attempt of which a whole list shows nothing that began late enough is replaced', async () => {
  const { world } = await forgotten()
  world.cloud.instances.clear()
  await world.clock.advance(mayComeForMs)
  await world.pass()
  expect(world.attempt).toBeUndefined()
  world.cloud.listFault = undefined
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.attempt?.handle).toBeDefined()
  expect(world.cloud.count('create')).toBe(2)
})

it('who is deleted without its attempt stays while lists fail, and takes along what the next one shows', async () => {
  const { world, id } = await forgotten()
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:00:00Z')
  await world.clock.advance(2 * mayComeForMs)
  await world.pass()
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  world.cloud.invisible.clear()
  world.cloud.listFault = undefined
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
})

/** Its first subnet is full, and the attempt after that is asked for in the next one. `copy`: of the first attempt. */
async function secondAttempt() {
  const world = new MachineWorld()
  const full = new CloudError('subnet', { code: 'SubnetFull', message: 'It is full.' })
  world.cloud.createFaults.push({ when: 'before', error: full })
  let copy = world.apiserver.copy()
  world.apiserver.onChange = () => {
    if (world.attempt?.n === 1 && !world.attempt.refused) copy = world.apiserver.copy()
  }
  for (let passes = 0; passes < 3; passes++) await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  expect(world.attempt).toMatchObject({ n: 2, handle: id })
  return { world, copy, id }
}

it('an older attempt is not asked with again while no list can show yet what came of the one after it', async () => {
  const { world, copy, id } = await secondAttempt()
  world.cloud.invisible.add(id)
  await world.listed()
  world.apiserver.putBack(copy)
  const asked = world.cloud.count('create')
  for (let passes = 0; passes < 3; passes++) {
    await world.pass()
    await world.listed()
  }
  expect(world.attempt).toMatchObject({ n: 1 })
  expect(world.cloud.count('create')).toBe(asked)
  world.cloud.invisible.clear()
  await world.clock.advance(mayComeForMs)
  await world.pass()
  expect(world.attempt?.handle).toBe(id)
  expect(world.cloud.count('create')).toBe(asked)
})
