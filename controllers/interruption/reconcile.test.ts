import { beforeEach, describe, expect, it } from 'vitest'
import { annotations, core } from '../../api/labels.ts'
import { InterruptionWorld } from '../../test/support/worlds/interruption-world.ts'

let world: InterruptionWorld
beforeEach(() => {
  world = new InterruptionWorld()
  world.putMachine('m1')
})

describe('a notice', () => {
  it('is decided, and the Machine is deleted and leaves its MachineSet', async () => {
    void world.notice()
    await world.settle()
    expect(world.decided).toMatchObject({ instance: 'i-m1', act: 'Delete', isAhead: true, machineSet: 'set' })
    expect(world.isDeleting).toBe(true)
    expect(world.controller).toBe('Cluster')
    expect(world.isHooked).toBe(false)
    expect(world.reasons).toEqual(['InterruptionNotice'])
  })

  it('is acknowledged when the decision is written, and not before', async () => {
    let isAcknowledged = false
    const acknowledged = world.notice().then(() => (isAcknowledged = true))
    world.apiserver.beforeWrite = () => {
      throw new Error('The API server is away.')
    }
    await expect(world.pass()).rejects.toThrow('away')
    expect(isAcknowledged).toBe(false)
    world.apiserver.beforeWrite = () => {}
    await world.pass()
    await acknowledged
    expect(world.decided).toBeDefined()
  })

  it('of another instance than the present one begins nothing', async () => {
    const acknowledged = world.notice({ instance: 'i-other' })
    await world.settle()
    await acknowledged
    expect(world.apiserver.writes).toEqual([])
    expect(world.isDeleting).toBe(false)
  })

  it('that is shown again and again is written once', async () => {
    void world.notice()
    await world.settle()
    const { length } = world.apiserver.writes
    void world.notice()
    await world.settle()
    expect(world.apiserver.writes).toHaveLength(length)
  })

  it('of an instance that has ended begins nothing: nothing could be drained', async () => {
    world.putInfra('m1', { ready: 'False', reason: 'Interrupted' })
    void world.notice()
    await world.settle()
    expect(world.apiserver.writes).toEqual([])
  })

  it('of a young instance leaves the Machine to the backoff', async () => {
    world.putInfra('m1', { ranForMs: 60_000 })
    void world.notice()
    await world.settle()
    expect(world.decided).toMatchObject({ act: 'Remediate' })
    expect(world.isDeleting).toBe(false)
    expect(world.controller).toBe('MachineSet')
  })

  it('of an instance that is still starting leaves the Machine to the backoff', async () => {
    world.putInfra('m1', { ready: 'False', reason: 'InstanceStarting', hasRun: false })
    void world.notice()
    await world.settle()
    expect(world.decided).toMatchObject({ act: 'Remediate' })
    expect(world.isDeleting).toBe(false)
  })

  it('of an old instance deletes the Machine also while the cloud does not answer', async () => {
    world.putInfra('m1', { ready: 'Unknown', reason: 'CloudUnavailable' })
    void world.notice()
    await world.settle()
    expect(world.decided).toMatchObject({ act: 'Delete' })
  })

  it('of a young instance leaves the Machine to the backoff also while the cloud does not answer', async () => {
    world.putInfra('m1', { ready: 'Unknown', reason: 'CloudUnavailable', ranForMs: 60_000 })
    void world.notice()
    await world.settle()
    expect(world.decided).toMatchObject({ act: 'Remediate' })
  })

  it('after a move counts the age of the instance from its attempt', async () => {
    const { status, metadata, ...rest } = world.apiserver.get('AWSMachine', 'default/m1') as never as {
      status: { conditions: object[] }
      metadata: object
    }
    const moved = new Date(world.clock.now()).toISOString()
    const conditions = status.conditions.map((one) => ({ ...one, lastTransitionTime: moved }))
    const young = { ...rest, metadata: { ...metadata, creationTimestamp: moved }, status: { conditions } }
    world.apiserver.put('AWSMachine', young as never)
    void world.notice()
    await world.pass()
    expect(world.decided).toMatchObject({ act: 'Delete' })
  })

  it('waits while the Cluster is paused, and is acted on afterwards', async () => {
    const cluster = world.apiserver.get('Cluster', 'default/c1')
    world.apiserver.put('Cluster', { ...cluster, spec: { ...(cluster?.['spec'] as object), paused: true } } as never)
    void world.notice()
    await world.settle()
    expect(world.apiserver.writes).toEqual([])
    world.apiserver.put('Cluster', cluster as never)
    await world.settle()
    expect(world.isDeleting).toBe(true)
  })

  it('waits while the infra machines are not known, which is not the same as gone', async () => {
    world.isInfraListed = false
    void world.notice()
    expect(await world.pass()).toMatchObject({ requeueAfterMs: 5_000 })
    expect(world.apiserver.writes).toEqual([])
    world.isInfraListed = true
    await world.settle()
    expect(world.isDeleting).toBe(true)
  })
})

it('two notices that waited together are both decided', async () => {
  void world.notice({ kind: 'Maintenance', source: 'Queue' })
  void world.notice({ source: 'Node', deadline: undefined as never })
  await world.pass()
  expect(world.decided).toMatchObject({ act: 'Delete', kind: 'Spot' })
})

describe('a process that ends in between', () => {
  it.each([1, 2, 3])('after write %i leaves the next one to finish', async (last) => {
    let writes = 0
    world.apiserver.beforeWrite = () => {
      if (++writes > last) throw new Error('killed')
    }
    void world.notice()
    for (let passes = 0; passes < 4; passes++) await world.pass().catch(() => {})
    world.restart()
    world.apiserver.beforeWrite = () => {}
    await world.settle()
    expect(world.isDeleting).toBe(true)
    expect(world.controller).toBe('Cluster')
  })
})

describe('with drain: WhenReplaced', () => {
  beforeEach(() => world.putPolicy({ drain: 'WhenReplaced' }))

  it('the Machine waits until its MachineSet has enough available Machines', async () => {
    void world.notice()
    expect(await world.settle()).toMatchObject({ requeueAfterMs: 60_000 })
    expect(world.isHooked).toBe(true)
    expect(world.isDeleting).toBe(true)
    world.putMachine('m2')
    await world.settle()
    expect(world.isHooked).toBe(false)
  })

  it('at the latest the drain begins a minute before the end', async () => {
    void world.notice()
    await world.settle()
    await world.clock.advance(59_000)
    await world.settle()
    expect(world.isHooked).toBe(true)
    await world.clock.advance(1_000)
    await world.settle()
    expect(world.isHooked).toBe(false)
  })

  it('an instance that ends meanwhile is not drained: the hook goes together with the drain', async () => {
    void world.notice()
    await world.settle()
    world.putInfra('m1', { ready: 'False', reason: 'Interrupted' })
    await world.settle()
    expect(world.isHooked).toBe(false)
    expect(world.machine.metadata.annotations?.[core.excludeNodeDraining]).toBeDefined()
  })

  it('a Machine that is paused between our read and the unhook keeps its hook: it is read anew', async () => {
    void world.notice()
    await world.settle()
    world.putMachine('m2')
    world.apiserver.beforeWrite = () => {
      world.apiserver.beforeWrite = () => {}
      world.lateMachine = world.machine
      world.annotate({ 'cluster.x-k8s.io/paused': '' })
    }
    await world.pass()
    expect(world.isHooked).toBe(true)
    world.lateMachine = undefined
    world.annotate({ 'cluster.x-k8s.io/paused': null })
    await world.settle()
    expect(world.isHooked).toBe(false)
  })

  it('a policy that changes later changes nothing', async () => {
    void world.notice()
    await world.settle()
    world.putPolicy({ drain: 'AtOnce' })
    await world.settle()
    expect(world.isHooked).toBe(true)
  })
})

describe('a decision that is not ours', () => {
  const foreign: Record<string, string> = {
    garbage: '{"act": "Delete"}',
    'of another Machine': JSON.stringify({
      for: 'default/m9',
      instance: 'i-m1',
      kind: 'Spot',
      source: 'Queue',
      at: '2026-01-01T00:00:00Z',
      act: 'Delete',
    }),
    'of another instance': JSON.stringify({
      for: 'default/m1',
      instance: 'i-before',
      kind: 'Spot',
      source: 'Queue',
      at: '2026-01-01T00:00:00Z',
      act: 'Delete',
    }),
  }
  it.each(Object.entries(foreign))('%s deletes nothing, and an event says so', async (_, text) => {
    world.annotate({ [annotations.interruption]: text })
    await world.settle()
    expect(world.apiserver.writes).toEqual([])
    expect(world.isDeleting).toBe(false)
    expect(world.reasons).toContain('InterruptionForeign')
  })

  it('deletes nothing either while the cache does not show its infra machine yet', async () => {
    const { metadata, ...rest } = world.machine
    world.apiserver.put('Machine', { ...rest, metadata: { ...metadata, ownerReferences: [] } })
    world.annotate({ [annotations.interruption]: foreign['of another instance'] ?? '' })
    world.isInfraLate = true
    expect(await world.settle()).toMatchObject({ requeueAfterMs: 5_000 })
    expect(world.isDeleting).toBe(false)
    world.isInfraLate = false
    await world.settle()
    expect(world.isDeleting).toBe(false)
  })

  it('does not keep a Machine: our hook goes', async () => {
    world.annotate({ [annotations.interruption]: 'garbage', [core.preDrainHook]: '' })
    await world.settle()
    expect(world.isHooked).toBe(false)
    expect(world.isDeleting).toBe(false)
  })
})

describe.each([
  ['in the pass of the delete', false],
  ['in a later pass', true],
])('another writer between our read and the detach %s', (_, isBusy) => {
  /** Passes until the detach. The change is made right before the patch of the owners. */
  const passWith = async (change: () => void) => {
    world.isBusy = isBusy
    void world.notice()
    if (isBusy) await world.pass()
    world.apiserver.beforeWrite = (patch) => {
      if (!Array.isArray(patch)) return
      world.apiserver.beforeWrite = () => {}
      change()
    }
    const result = await world.pass()
    expect(world.isDeleting).toBe(true)
    return result
  }

  it('is no conflict when it leaves the owners alone, as core does with its status', async () => {
    await passWith(() => world.annotate({ other: 'x' }))
    expect(world.controller).toBe('Cluster')
    expect(world.machine.metadata.annotations).toMatchObject({ other: 'x' })
  })

  it('that changes the owners is a conflict: its change stays, and the Machine is read anew', async () => {
    const another = { apiVersion: 'x.io/v1', kind: 'Other', name: 'o', uid: 'o' }
    await passWith(() => {
      world.lateMachine = world.machine
      const { metadata, ...rest } = world.machine
      const ownerReferences = [...(metadata.ownerReferences ?? []), another]
      world.apiserver.put('Machine', { ...rest, metadata: { ...metadata, ownerReferences } })
    })
    expect(world.controller).toBe('Cluster')
    expect(world.machine.metadata.ownerReferences).toContainEqual(another)
  })
})
