import { beforeEach, expect, it } from 'vitest'
import type { Attempt } from '../../../api/attempt.ts'
import { annotations, finalizers } from '../../../api/labels.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
})

const killed = new Error('SIGKILL')
const cutAt = (isPoint: (patch: object) => boolean) => {
  world.apiserver.beforeWrite = (patch) => {
    if (isPoint(patch)) throw killed
  }
}
const heal = () => {
  world.apiserver.beforeWrite = () => {}
}
const setsHandle = (patch: object) => JSON.stringify(patch).includes('providerID')

const refusal = (refusedKind: RefusalKind, code: string) =>
  new CloudError(refusedKind, { code, message: `${code} said.` })

it('gives way where another leader has kept another outcome of the same attempt', async () => {
  const create = world.cloud.create.bind(world.cloud)
  world.cloud.create = async (want, ctx) => {
    const made = await create(want, ctx)
    const attempt = { ...world.attempt, refused: { kind: 'capacity', code: 'None', message: 'None.' } }
    const metadata = { ...world.machine?.metadata, annotations: { [annotations.attempt]: JSON.stringify(attempt) } }
    world.apiserver.put(kind, { ...world.machine, metadata } as never)
    return made
  }
  expect(await world.pass()).toBeInstanceOf(Error)
  expect(world.attempt?.refused?.code).toBe('None')
  expect(world.attempt?.handle).toBeUndefined()
})

it('says nothing of an attempt that another leader has begun meanwhile', async () => {
  const create = world.cloud.create.bind(world.cloud)
  world.cloud.create = async (want, ctx) => {
    await create(want, ctx)
    const metadata = {
      ...world.machine?.metadata,
      annotations: { [annotations.attempt]: JSON.stringify({ ...world.attempt, token: 'token-of-another' }) },
    }
    world.apiserver.put(kind, { ...world.machine, metadata, status: {} } as never)
    throw refusal('capacity', 'None')
  }
  expect(await world.pass()).toBeInstanceOf(Error)
  expect(world.attempt).toMatchObject({ token: 'token-of-another' })
  expect(world.attempt?.refused).toBeUndefined()
  expect(world.ready).toBeUndefined()
})

it('says what the cloud refused though core has written to the object meanwhile: a pass that rests would not say it', async () => {
  world.cloud.createFaults.push({ when: 'before', error: refusal('denied', 'UnauthorizedOperation') })
  world.apiserver.beforeWrite = (patch) => {
    if (!JSON.stringify(patch).includes('UnauthorizedOperation')) return
    heal()
    const metadata = { ...world.machine?.metadata, labels: { written: 'by-core' } }
    world.apiserver.put(kind, { ...world.machine, metadata } as never)
  }
  expect(await world.pass()).not.toBeInstanceOf(Error)
  expect(world.machine?.metadata.labels).toEqual({ written: 'by-core' })
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
})

it('writes finalizer, then attempt, then asks, then keeps handle and providerID in one write', async () => {
  await world.pass()
  const order = world.apiserver.writes
    .filter(({ subresource }) => subresource === undefined)
    .map(({ patch }) => JSON.stringify(patch))
  expect(order[0]).toContain(finalizers.machine)
  expect(order[1]).toContain(annotations.attempt)
  expect(order[2]).toContain('providerID')
  expect(world.cloud.count('create')).toBe(1)
  expect(world.attempt).toMatchObject({ for: 'default/m1', owner: 'owner-1', n: 1, token: 'token-1' })
  expect(world.attempt?.handle).toBe([...world.cloud.instances.keys()][0])
})

it('says nothing of the bootstrap data anywhere', async () => {
  await world.pass()
  const said = JSON.stringify([world.log.lines, world.events, world.machine])
  expect(said).not.toContain('canary')
  expect(said).not.toContain(Buffer.from('#cloud-config canary').toString('base64'))
})

it.each([
  ['before the call', 'before'],
  ['after the commit and before the answer', 'after'],
] as const)('killed %s: the same token makes one instance', async (_, when) => {
  world.cloud.createFaults.push({ when, error: refusal('ambiguous', 'ECONNRESET') })
  await world.pass()
  await world.restart()
  await world.pass()
  await world.pass()
  expect(world.cloud.instances.size).toBe(1)
  expect(new Set(world.cloud.calls.filter(({ call }) => call === 'create').map(({ token }) => token)).size).toBe(1)
  expect(world.attempt?.handle).toBeDefined()
})

it.each([
  ['before the call', 'before'],
  ['after the commit and before the answer', 'after'],
] as const)('killed %s, and the specs edited: asked for again in the same place', async (_, when) => {
  world.cloud.createFaults.push({ when, error: refusal('ambiguous', 'ECONNRESET') })
  await world.pass()
  expect(world.attempt).toMatchObject({ at: { subnet: 'subnet-a', zone: 'us-east-1a' } })
  world.places = ['subnet-c', 'subnet-b']
  // No list shows what came of it.
  for (const id of world.cloud.instances.keys()) world.cloud.invisible.add(id)
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.cloud.requests).toHaveLength(2)
  expect(world.cloud.requests[1]).toEqual(world.cloud.requests[0])
})

it('killed after the answer and before the write: the same token makes one instance', async () => {
  cutAt(setsHandle)
  expect(await world.pass()).toBe(killed)
  heal()
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.cloud.instances.size).toBe(1)
  expect(world.machine?.spec.providerID).toBeDefined()
})

it('never creates again once providerID is set, whatever became of the instance', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  world.cloud.set(id, 'terminated')
  await world.listed()
  for (let i = 0; i < 5; i++) await world.pass()
  await world.restart()
  for (let i = 0; i < 5; i++) await world.pass()
  expect(world.cloud.count('create')).toBe(1)
})

it('adopts the instance of an attempt that etcd has forgotten instead of buying a second', async () => {
  await world.pass()
  const { annotations: _, ...metadata } = world.machine?.metadata ?? { name: '' }
  world.apiserver.put(kind, { ...world.machine, metadata, spec: {}, status: {} } as never)
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.cloud.count('create')).toBe(1)
  expect(world.attempt).toMatchObject({ token: 'token-1', handle: [...world.cloud.instances.keys()][0] })
})

it('finds in the list what came of a create without an answer, though its bootstrap data is gone', async () => {
  world.cloud.createFaults.push({ when: 'after', error: refusal('ambiguous', 'ECONNRESET') })
  await world.pass()
  world.apiserver.objects.delete('Secret default/boot')
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  const [id] = world.cloud.instances.keys()
  expect(world.attempt).toMatchObject({ token: 'token-1', handle: id })
  expect(world.machine?.spec.providerID).toContain(id)
  expect(world.cloud.count('create')).toBe(1)
})

it('asks for nothing while the finalizer could not be written', async () => {
  const { metadata } = world.machine ?? { metadata: { name: '' } }
  world.apiserver.put(kind, { ...world.machine, metadata: { ...metadata, finalizers: [] } })
  cutAt((patch) => JSON.stringify(patch).includes('finalizers'))
  expect(await world.pass()).toBe(killed)
  expect(world.cloud.count('create')).toBe(0)
  expect(world.attempt).toBeUndefined()
})

it('waits until the cache has seen its own writes, so that it asks once', async () => {
  const stale = world.machine
  world.cacheShows(stale)
  await world.pass()
  expect(world.attempt?.handle).toBeDefined()
  expect(await world.pass()).toMatchObject({ reason: 'the cache has not seen our own last write yet' })
  expect(world.cloud.count('create')).toBe(1)
})

it('does not act on an attempt that was made for another machine', async () => {
  const copied = JSON.stringify({ ...exampleAttempt, for: 'default/other' })
  const { metadata } = world.machine ?? { metadata: { name: '' } }
  world.apiserver.put(kind, {
    ...world.machine,
    metadata: { ...metadata, annotations: { [annotations.attempt]: copied } },
  })
  await world.pass()
  expect(world.cloud.count('create')).toBe(0)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
})

it('waits for the Machine to own the object, without a finalizer', async () => {
  const { ownerReferences: _, ...metadata } = world.machine?.metadata ?? { name: '' }
  world.apiserver.put(kind, { ...world.machine, metadata: { ...metadata, finalizers: [] } })
  await world.pass()
  expect(world.cloud.count('create')).toBe(0)
  expect(world.machine?.metadata.finalizers).toEqual([])
})

const exampleAttempt: Attempt = {
  for: 'default/m1',
  owner: 'owner-1',
  n: 1,
  token: 'somebody',
  scope: { cloud: 'aws', identity: 'default', region: 'us-east-1' },
  startedAt: '2026-01-01T00:00:00Z',
}

it('begins nothing while writes to the cloud are held, and goes on when they are not', async () => {
  world.writesHeld = 'The API server does not answer.'
  expect(await world.pass()).toMatchObject({ reason: 'The API server does not answer.' })
  expect(world.cloud.count('create')).toBe(0)
  expect(world.attempt).toBeUndefined()
  world.writesHeld = undefined
  await world.pass()
  expect(world.cloud.count('create')).toBe(1)
})

it('keeps the answer when somebody else wrote to the object meanwhile, without asking again', async () => {
  let disturbed = false
  world.apiserver.beforeWrite = (patch) => {
    if (disturbed || !setsHandle(patch)) return
    disturbed = true
    const { metadata } = world.machine ?? { metadata: { name: '' } }
    world.apiserver.put(kind, { ...world.machine, metadata: { ...metadata, labels: { by: 'core' } } })
  }
  await world.pass()
  expect(disturbed).toBe(true)
  expect(world.attempt?.handle).toBeDefined()
  expect(world.machine?.metadata.labels).toEqual({ by: 'core' })
  expect(world.cloud.count('create')).toBe(1)
})
