import { beforeEach, describe, expect, it } from 'vitest'
import { annotations, requests } from '../../../api/labels.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const theirs = '999988887777'

let world: MachineWorld
beforeEach(() => {
  world = new MachineWorld()
})

async function pass(times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    await world.listed()
    await world.pass()
  }
}

function annotate(what: string, key: string, added: Record<string, string>): void {
  const object = world.apiserver.get(what, key)
  if (!object) throw new Error(`There is no ${key}`)
  const { metadata, ...rest } = object
  world.apiserver.put(what, { ...rest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...added } } })
}

const remove = () => world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:00:00Z')

describe('where the first credentials were of another account, and were corrected', () => {
  beforeEach(() => {
    world.cloud.account = theirs
    annotate('AWSCluster', 'default/c1', { [annotations.account]: theirs })
  })

  async function correct(): Promise<void> {
    world.cloud.account = fakeScope.account
    annotate('AWSCluster', 'default/c1', { [annotations.account]: fakeScope.account })
    await world.restart()
  }

  it('a machine that was refused there says why as before, and can be deleted', async () => {
    const error = new CloudError('quota', { code: 'VcpuLimitExceeded', message: 'No.' })
    world.cloud.createFaults.push({ when: 'before', error })
    await pass(2)
    expect(world.attempt).toMatchObject({ scope: { account: theirs }, refused: { isFinal: true } })
    await correct()
    await pass(2)
    expect(world.ready).toMatchObject({ status: 'False', reason: 'QuotaExceeded' })
    remove()
    await pass(3)
    expect(world.machine).toBeUndefined()
  })

  it('one that had no permission there is launched in the right one', async () => {
    const error = new CloudError('denied', { code: 'UnauthorizedOperation', message: 'No.' })
    world.cloud.createFaults.push({ when: 'before', error })
    await pass(2)
    expect(world.attempt).toBeUndefined()
    await correct()
    await pass(2)
    expect(world.attempt).toMatchObject({ scope: fakeScope, handle: expect.any(String) as string })
    expect(world.cloud.instances.size).toBe(1)
  })
})

it('an attempt is kept whose machine alone was refused: something else may have been made for it before', async () => {
  const error = new CloudError('denied', { code: 'RequestDisallowedByPolicy', message: 'No.' })
  world.cloud.createFaults.push({ when: 'after', error })
  const create = world.cloud.create.bind(world.cloud)
  world.cloud.create = (want, ctx) =>
    create(want, ctx).catch((thrown: unknown) => {
      for (const id of world.cloud.instances.keys()) world.cloud.set(id, 'leftover')
      throw thrown
    })
  await pass(2)
  expect(world.cloud.count('create')).toBe(1)
  expect(world.attempt).toMatchObject({ scope: fakeScope })
})

it('where nothing says whose the credentials are a person can say that an instance is gone', async () => {
  await pass(2)
  world.cloud.set(world.attempt?.handle ?? '', 'running')
  await pass(40)
  world.cloud.instances.clear()
  world.cloud.account = undefined
  await world.restart()
  await pass(20)
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
  annotate(kind, 'default/m1', { [requests.confirmGone]: 'true' })
  await pass(3)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})
