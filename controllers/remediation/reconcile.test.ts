import { beforeEach, expect, it } from 'vitest'
import { rfc3339 } from '../../api/conditions.ts'
import { annotations, core, machineLabels } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { clusterKey, RemediationWorld, spot } from '../../test/support/worlds/remediation-world.ts'

let world: RemediationWorld
beforeEach(() => {
  world = new RemediationWorld()
})

it('of machines for which there is no capacity none is replaced before the pause, and one when it is over', async () => {
  world.putFailed('a')
  world.putFailed('b')
  expect(await world.pass()).toEqual({ requeueAfterMs: 29_000, reason: 'a machine may be tried again then' })
  for (const name of ['a', 'b']) {
    expect(world.isReleased(name)).toBe(false)
    expect(world.due(name)).toMatchObject({
      status: 'False',
      reason: 'BackingOff',
      message: 'InsufficientCapacity: m5.large spot in us-east-1a; next try 00:00:29 UTC, attempt 2.',
    })
  }
  await world.clock.advance(29_000)
  await world.pass()
  expect(['a', 'b'].filter((name) => world.isReleased(name))).toEqual(['a'])
  expect(world.due('a')).toMatchObject({ status: 'True', reason: 'Due' })
  expect(world.due('b')).toMatchObject({ status: 'False', reason: 'BackingOff' })
})

it('a Machine that is being deleted takes no turn: its MachineSet replaces it anyway', async () => {
  world.putFailed('a', { deletionTimestamp: rfc3339(world.clock.now()), finalizers: ['core'] })
  world.putFailed('b')
  await world.pass()
  await world.clock.advance(29_000)
  await world.pass()
  expect(['a', 'b'].filter((name) => world.isReleased(name))).toEqual(['b'])
})

it('of a MachineDeployment of one the pauses double too, though between two Machines there is none', async () => {
  const tries: number[] = []
  const began = world.clock.now()
  for (const name of ['m1', 'm2', 'm3', 'm4']) {
    world.putFailed(name)
    while (!world.isReleased(name)) {
      await world.pass()
      await world.clock.advance(1_000)
    }
    tries.push(Math.round((world.clock.now() - began) / 1_000))
    world.apiserver.remove('Machine', `default/${name}`)
    world.apiserver.remove('AWSMachine', `default/${name}`)
    await world.pass()
  }
  const pauses = tries.slice(1).map((at, n) => at - (tries[n] ?? 0))
  // 30 s, and the double of that twice, less the second since which each has failed.
  expect(pauses.map((seconds) => Math.round(seconds / 30))).toEqual([2, 4, 8])
})

it('backoff that no Machine uses any more goes after its time, and with it the annotation', async () => {
  world.putFailed('m1')
  await world.pass()
  const backoff = () => world.apiserver.get('AWSCluster', clusterKey)?.metadata.annotations?.[annotations.backoff]
  expect(backoff()).toBeDefined()
  world.apiserver.remove('Machine', 'default/m1')
  world.apiserver.remove('AWSMachine', 'default/m1')
  await world.pass()
  expect(backoff()).toBeDefined()
  await world.clock.advance(2 * 60 * 60_000)
  await world.pass()
  expect(backoff()).toBeUndefined()
})

it('what is planned stands on the infrastructure cluster before the Machine, and there the condition before the label', async () => {
  world.putFailed('a')
  await world.pass()
  await world.clock.advance(29_000)
  const before = world.apiserver.writes.length
  await world.pass()
  const written = world.apiserver.writes.slice(before).map(({ kind, patch }) => `${kind} ${Object.keys(patch).join()}`)
  expect(written).toEqual(['AWSCluster metadata', 'Machine status', 'Machine metadata'])
  expect(world.isReleased('a')).toBe(true)
})

it('a pass that ends between its writes is completed by the next, in another process too', async () => {
  world.putFailed('a')
  world.putFailed('b')
  await world.pass()
  await world.clock.advance(29_000)
  world.apiserver.beforeWrite = (patch) => {
    if (JSON.stringify(patch).includes('"Due"')) throw new Error('cut off')
  }
  await expect(world.pass()).rejects.toThrow('cut off')
  world.apiserver.beforeWrite = () => {}
  world.restart()
  await world.clock.advance(1_000)
  await world.pass()
  expect(['a', 'b'].filter((name) => world.isReleased(name))).toEqual(['a'])
})

it('a Machine that cannot be written does not keep the others waiting; the pass fails all the same', async () => {
  world.putFailed('a')
  world.putFailed('b')
  let refused = 0
  world.apiserver.beforeWrite = (patch) => {
    if ('status' in patch && refused++ === 0) throw new Error('not this one')
  }
  await expect(world.pass()).rejects.toThrow('not this one')
  expect(['a', 'b'].filter((name) => world.due(name) !== undefined)).toHaveLength(1)
})

it('of a paused Cluster nothing is written, and what is remembered of it is read anew afterwards', async () => {
  world.putFailed('a')
  await world.pass()
  world.putCluster({ paused: true })
  const writes = world.apiserver.writes.length
  await world.clock.advance(60_000)
  expect(await world.pass()).toBe('done')
  expect(world.apiserver.writes).toHaveLength(writes)
  expect(world.deps.memory.backoffOf(clusterKey).size).toBe(0)
})

it('while core’s health checks do not look at the Cluster, no Machine is marked as due', async () => {
  world.putCluster({ controlPlaneRef: { ...spot, kind: 'ExternalControlPlane', name: 'c1' } })
  world.putFailed('a')
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.isReleased('a')).toBe(false)
})

it('a Machine that backs off is held back from a user’s health check, until it is due', async () => {
  world.putFailed('a')
  const selector = { matchLabels: { [core.deploymentName]: 'md' } }
  world.apiserver.put('MachineHealthCheck', {
    metadata: { namespace: 'default', name: 'theirs' },
    spec: { clusterName: 'c1', selector },
  } as never)
  await world.pass()
  expect(world.heldBy('a')).toBe('backing-off')
  await world.clock.advance(29_000)
  await world.pass()
  expect(world.heldBy('a')).toBeUndefined()
  expect(world.isReleased('a')).toBe(true)
})

it('a Machine that a user skips stays as it is, and says so', async () => {
  world.putFailed('a', { annotations: { [core.skipRemediation]: 'mine' } })
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.isReleased('a')).toBe(false)
  expect(world.heldBy('a')).toBe('mine')
  expect(world.due('a')).toMatchObject({ status: 'False', reason: 'RemediationSkipped' })
})

it('whose instance has ended is not drained on its way out, and nothing else is said of it', async () => {
  world.putFailed('a', { deletionTimestamp: rfc3339(world.clock.now()), finalizers: ['machine.cluster.x-k8s.io'] })
  world.putInfra('a', 'Interrupted', 'terminated')
  await world.pass()
  expect(world.machine('a').metadata.annotations).toMatchObject({
    'machine.cluster.x-k8s.io/exclude-node-draining': 'spot-instance-ended',
    'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': 'spot-instance-ended',
  })
  expect(world.due('a')).toBeUndefined()
})

it('what the cache shows before our own write is not written upon', async () => {
  world.putFailed('a')
  const stale = world.machine('a')
  await world.pass()
  const writes = world.apiserver.writes.filter(({ kind }) => kind === 'Machine').length
  const cache = world.apiserver.cache<Machine>('Machine')
  world.deps = { ...world.deps, machines: { ...cache, by: () => [stale] } }
  await world.pass()
  expect(world.apiserver.writes.filter(({ kind }) => kind === 'Machine')).toHaveLength(writes)
})

it('what cannot be written keeps the failing machines back, and not those that served', async () => {
  world.putFailed('a')
  world.putFailed('c')
  world.putInfra('c', 'InstanceGone')
  world.putPolicy({ minHealthySeconds: 0 })
  const served = { type: 'Provisioned', status: 'True', reason: 'Running', message: '', lastTransitionTime: rfc3339(0) }
  const gone = world.apiserver.get('AWSMachine', 'default/c') as unknown as InfraMachine
  world.apiserver.put('AWSMachine', {
    ...gone,
    status: { conditions: [...(gone.status?.conditions ?? []), served] },
  } as never)
  world.apiserver.beforeWrite = (patch) => {
    if (JSON.stringify(patch).includes(annotations.backoff)) throw new Error('a webhook says no')
  }
  await expect(world.pass()).rejects.toThrow('a webhook says no')
  expect(world.due('a')).toBeUndefined()
  expect(world.isReleased('c'), 'what served and ended rests on nothing').toBe(true)
})

it('what cannot be read is not written over', async () => {
  world.putFailed('a')
  const { client } = world.deps
  let isAway = true
  const get: typeof client.get = (resource, ref, ctx) =>
    isAway && resource.kind === 'AWSCluster' ? Promise.reject(new Error('away')) : client.get(resource, ref, ctx)
  world.deps = { ...world.deps, ...world.capacity({ ...client, get }) }
  await expect(world.pass()).rejects.toThrow('away')
  expect(world.apiserver.writes.filter(({ kind }) => kind === 'AWSCluster')).toEqual([])
  expect(world.due('a')).toBeUndefined()
  isAway = false
  await world.pass()
  expect(world.due('a')).toMatchObject({ reason: 'BackingOff' })
})

it('Machines of two policies wait each by its own, and each goes on where it was in another process', async () => {
  const patient = { initialSeconds: 600, maxSeconds: 600 }
  world.putPolicy({ selector: { matchLabels: { [core.deploymentName]: 'md' } }, backoff: patient })
  world.putFailed('a')
  world.putFailed('b', { labels: { [core.deploymentName]: 'other' } })
  await world.pass()
  const said = () => ['a', 'b'].map((name) => world.due(name)?.message.replace(/^.*; /, ''))
  const waits = ['next try 00:09:59 UTC, attempt 2.', 'next try 00:00:29 UTC, attempt 2.']
  expect(said()).toEqual(waits)
  world.restart()
  await world.clock.advance(10_000)
  await world.pass()
  expect(said()).toEqual(waits)
  const { metadata } = world.apiserver.get('AWSCluster', 'default/c1') ?? {}
  expect(Object.keys(JSON.parse(metadata?.annotations?.[annotations.backoff] ?? '') as object)).toEqual([
    'no policy',
    'p',
  ])
})

it('a Machine whose infra machine somebody has deleted is replaced at once, if that is really gone', async () => {
  world.putFailed('a')
  const provisioned = { ...world.machine('a'), status: { initialization: { infrastructureProvisioned: true } } }
  world.apiserver.put('Machine', provisioned)
  const cache = world.apiserver.cache<InfraMachine>('AWSMachine')
  world.deps = { ...world.deps, infraMachines: new Map([['AWSMachine', { ...cache, get: () => undefined }]]) }
  await world.pass()
  expect(world.isReleased('a'), 'the cache is late').toBe(false)
  world.apiserver.remove('AWSMachine', 'default/a')
  await world.pass()
  expect(world.isReleased('a')).toBe(true)
  expect(world.due('a')?.message).toMatch(/^InfrastructureDeleted\. /)
})

it('a Machine whose infra machine went before it had anything is replaced when it will not come any more', async () => {
  world.putFailed('a', { creationTimestamp: rfc3339(world.clock.now()) })
  world.apiserver.remove('AWSMachine', 'default/a')
  expect(await world.pass()).toMatchObject({ requeueAfterMs: 300_000 })
  expect(world.isReleased('a'), 'it may be put back from a backup after its Machine').toBe(false)
  await world.clock.advance(300_000)
  await world.pass()
  expect(world.isReleased('a')).toBe(true)
  expect(world.due('a')?.message).toMatch(/^InfrastructureDeleted\. /)
})

it('where a policy says None for some, those are marked for another health check, and ours stays for the others', async () => {
  world.putPolicy({ selector: { matchLabels: { [core.deploymentName]: 'md' } }, healthCheck: 'None' })
  world.putFailed('a')
  await world.pass()
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.machine('a').metadata.labels?.[machineLabels.remediationDue]).toBe('unmanaged')
  const check = world.apiserver.get('MachineHealthCheck', 'default/c1-spot-remediation')
  expect(check?.['spec']).toMatchObject({ selector: { matchLabels: { [machineLabels.remediationDue]: '' } } })
})
