import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rfc3339 } from '../../api/conditions.ts'
import { writeInterruption, type Interruption } from '../../api/interruption.ts'
import { owningMachineKey, type InfraMachine, type Machine, type MachineSet } from '../../api/machine.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { TellingCache } from '../../test/support/fakes/telling-cache.ts'
import { machineSetKeyOf } from './machine-set-key.ts'
import { Timelines } from './timelines.ts'

const namespace = 'default'

let clock: FakeClock
let machines: TellingCache<Machine>
let machineSets: TellingCache<MachineSet>
let infras: TellingCache<InfraMachine>
let passed: string[]
let lines: { message: string; seconds: unknown; fields: object }[]
let following: ReturnType<typeof Timelines.follow>

beforeEach(() => {
  clock = new FakeClock()
  machines = new TellingCache<Machine>({ machineSet: machineSetKeyOf })
  machineSets = new TellingCache()
  infras = new TellingCache<InfraMachine>({ machine: owningMachineKey })
  passed = []
  lines = []
  replicas(2)
})
afterEach(() => following.stop())

function follow(): void {
  const infraMachines = new Map([['AWSMachine', infras]])
  const ctx = quietCtx({ clock })
  const log = {
    ...ctx.log,
    info: (message: string, { seconds, ...fields }: { seconds?: unknown } = {}) =>
      lines.push({ message, seconds, fields }),
  }
  const note = (milestone: string, seconds: number) => void passed.push(`${milestone} ${seconds}`)
  following = Timelines.follow({ machines, machineSets, infraMachines, passed: note }, { ...ctx, log })
}

function replicas(count: number): void {
  machineSets.put({ metadata: { namespace, name: 'set' }, spec: { replicas: count } })
}

interface Shape {
  readonly isNoticed?: boolean
  readonly isWaiting?: boolean
  /** What is decided differently. */
  readonly decided?: Partial<Interruption>
  readonly isDeleting?: boolean
  readonly isAvailable?: boolean
}

let at: string

function decidedAs(name: string): Interruption {
  return {
    for: `${namespace}/${name}`,
    instance: name,
    kind: 'Spot',
    source: 'SpotRequests',
    at,
    act: 'Delete',
    machineSet: 'set',
    isAhead: true,
  }
}

function machine(
  name: string,
  { isNoticed, isWaiting, decided: over, isDeleting = false, isAvailable = true }: Shape = {},
): void {
  const apiVersion = 'cluster.x-k8s.io/v1beta2'
  const controller = isDeleting ? 'Cluster' : 'MachineSet'
  const owner = { apiVersion, kind: controller, name: isDeleting ? 'c1' : 'set', uid: 'u', controller: true }
  const waiting = isWaiting === undefined ? {} : { isWaiting }
  const decided = { ...decidedAs(name), ...waiting, ...over }
  machines.put({
    metadata: {
      namespace,
      name,
      ownerReferences: [owner],
      ...(isNoticed || over ? { annotations: writeInterruption(decided) } : {}),
      ...(isDeleting ? { deletionTimestamp: at } : {}),
    },
    spec: { clusterName: 'c1', infrastructureRef: { apiGroup: 'x', kind: 'AWSMachine', name } },
    status: {
      conditions: [
        { type: 'Available', status: isAvailable ? 'True' : 'False', reason: 'R', message: '', lastTransitionTime: at },
      ],
    },
  })
}

function infra(name: string, { isDeleting = false, ready }: { isDeleting?: boolean; ready?: string } = {}): void {
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name, uid: name }
  const status = ready === undefined ? 'True' : 'False'
  infras.put({
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'AWSMachine',
    metadata: { namespace, name, ownerReferences: [owner], ...(isDeleting ? { deletionTimestamp: at } : {}) },
    spec: {},
    status: {
      conditions: [{ type: 'Ready', status, reason: ready ?? 'Running', message: '', lastTransitionTime: at }],
    },
  })
}

function serving(...names: string[]): void {
  at = rfc3339(clock.now())
  for (const name of names) {
    infra(name)
    machine(name)
  }
}

describe('one interruption', () => {
  beforeEach(() => {
    serving('a', 'b')
    follow()
    machine('a', { isNoticed: true })
  })

  it('passes each milestone once, and ends with one line', async () => {
    await clock.advance(1_000)
    machine('a', { isNoticed: true, isDeleting: true })
    machine('a', { isNoticed: true, isDeleting: true })
    machine('new', { isAvailable: false })
    await clock.advance(20_000)
    machine('new')
    await clock.advance(40_000)
    infra('a', { isDeleting: true })
    await clock.advance(4_000)
    infras.remove(`${namespace}/a`)
    expect(lines).toEqual([])
    machines.remove(`${namespace}/a`)
    expect(passed).toEqual(['deleted 1', 'replaced 21', 'drained 61', 'off 65'])
    const seconds = { deleted: 1, replaced: 21, drained: 61, off: 65 }
    expect(lines).toMatchObject([{ message: 'Interruption is over', seconds }])
  })

  it('waits with its line for a replacement that comes when the Machine is gone', async () => {
    machine('a', { isNoticed: true, isDeleting: true })
    machines.remove(`${namespace}/a`)
    expect(lines).toEqual([])
    await clock.advance(30_000)
    machine('new')
    expect(passed.at(-1)).toBe('replaced 30')
    expect(lines).toHaveLength(1)
  })

  it('is not drained when its instance has ended before', () => {
    machine('a', { isNoticed: true, isDeleting: true })
    infra('a', { ready: 'Interrupted' })
    infra('a', { ready: 'Interrupted', isDeleting: true })
    expect(passed).toEqual(['deleted 0', 'off 0'])
  })

  it('ends without a replacement when the MachineSet is gone', () => {
    machine('a', { isNoticed: true, isDeleting: true })
    machines.remove(`${namespace}/a`)
    machineSets.remove(`${namespace}/set`)
    expect(passed).not.toContain('replaced 0')
    expect(lines).toHaveLength(1)
  })
})

it('counts one replacement for one Machine', async () => {
  serving('a', 'b')
  follow()
  for (const name of ['a', 'b']) {
    machine(name, { isNoticed: true })
    machine(name, { isNoticed: true, isDeleting: true })
  }
  await clock.advance(5_000)
  machine('new-1')
  expect(passed.filter((one) => one.startsWith('replaced'))).toEqual(['replaced 5'])
  await clock.advance(5_000)
  machine('new-2')
  expect(passed.filter((one) => one.startsWith('replaced'))).toEqual(['replaced 5', 'replaced 10'])
})

it('a stronger notice is measured from its own decision, and not from that of the weaker one days before', async () => {
  serving('a', 'b')
  follow()
  machine('a', { decided: { kind: 'Maintenance', act: 'Tell' } })
  await clock.advance(3 * 86_400_000)
  at = rfc3339(clock.now())
  machine('a', { isNoticed: true })
  await clock.advance(2_000)
  machine('a', { isNoticed: true, isDeleting: true })
  expect(passed).toEqual(['deleted 2'])
})

it('a nearer deadline measures nothing anew, and is in the line', async () => {
  serving('a', 'b')
  follow()
  machine('a', { isNoticed: true })
  await clock.advance(2_000)
  const deadline = rfc3339(clock.now())
  machine('a', { decided: { deadline }, isDeleting: true })
  machines.remove(`${namespace}/a`)
  machineSets.remove(`${namespace}/set`)
  expect(passed).toEqual(['deleted 2', 'off 2'])
  expect(lines).toMatchObject([{ fields: { deadline } }])
})

it('of a notice that was taken back nothing is measured, however long the Machine lives on', async () => {
  serving('a', 'b')
  follow()
  machine('a', { decided: { act: 'Cordon' } })
  machine('a')
  await clock.advance(86_400_000)
  machine('a', { isDeleting: true })
  machines.remove(`${namespace}/a`)
  expect([passed, lines]).toEqual([[], []])
})

it('a Machine that is only told is not deleted because of the notice; its instance ends because of one that says so', async () => {
  serving('a', 'b')
  follow()
  machine('a', { decided: { act: 'Tell' } })
  machine('b', { decided: { kind: 'Maintenance', act: 'Cordon' } })
  await clock.advance(120_000)
  for (const name of ['a', 'b']) {
    infra(name, { ready: 'Interrupted' })
    machine(name, {
      decided: name === 'a' ? { act: 'Tell' } : { kind: 'Maintenance', act: 'Cordon' },
      isDeleting: true,
    })
    infras.remove(`${namespace}/${name}`)
    machines.remove(`${namespace}/${name}`)
  }
  expect(passed).toEqual(['off 120'])
  expect(lines).toHaveLength(2)
})

it('the time until the decision is counted, and stands in the line, whichever the cache shows first', () => {
  serving('a', 'b')
  follow()
  machineSets.remove(`${namespace}/set`)
  const decidedOn = (name: string) => {
    const found = machines.get(`${namespace}/${name}`)
    if (!found) throw new Error('There is no such Machine.')
    return found
  }
  machine('a', { isNoticed: true })
  following.recorded(decidedOn('a'), 0.25)
  const { metadata, ...rest } = decidedOn('b')
  const annotations = writeInterruption({ ...decidedAs('b'), act: 'Delete' })
  following.recorded({ ...rest, metadata: { ...metadata, annotations } }, 0.5)
  machine('b', { isNoticed: true })
  for (const name of ['a', 'b']) {
    machine(name, { isNoticed: true, isDeleting: true })
    machines.remove(`${namespace}/${name}`)
  }
  expect(passed.filter((one) => one.startsWith('recorded'))).toEqual(['recorded 0.25', 'recorded 0.5'])
  expect(lines.map(({ seconds }) => seconds)).toMatchObject([
    { recorded: 0.25, deleted: 0 },
    { recorded: 0.5, deleted: 0 },
  ])
})

it('after a restart it measures only what is still to come', async () => {
  serving('a', 'b')
  machine('a', { isNoticed: true, isDeleting: true })
  await clock.advance(10_000)
  follow()
  infra('a', { isDeleting: true })
  expect(passed).toEqual(['drained 10'])
})

it('follows nothing of a Machine without a decision', () => {
  serving('a')
  follow()
  machine('a', { isDeleting: true })
  infras.remove(`${namespace}/a`)
  machines.remove(`${namespace}/a`)
  expect([passed, lines]).toEqual([[], []])
})

it('what waits for its turn is measured from when that comes', async () => {
  serving('a', 'b')
  follow()
  machine('a', { isNoticed: true, isWaiting: true })
  await clock.advance(3_600_000)
  at = rfc3339(clock.now())
  machine('a', { isNoticed: true })
  await clock.advance(2_000)
  machine('a', { isNoticed: true, isDeleting: true })
  expect(passed).toEqual(['deleted 2'])
})
