import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { visibilityGraceMs } from '../../../providers/wire/limits.ts'
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
