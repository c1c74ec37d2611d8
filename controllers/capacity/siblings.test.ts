import fc from 'fast-check'
import { beforeEach, expect, it, test } from 'vitest'
import { rfc3339 } from '../../api/conditions.ts'
import { annotations } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { CapacityType } from '../../api/offering.ts'
import { leastOnDemand, type Distribution } from '../../api/rules/capacity/distribution.ts'
import { decided } from '../../test/support/decided.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { BackoffStore } from './backoff-store.ts'
import type { Asking } from './claims.ts'
import { askedOf } from './group-names.ts'
import { Launches } from './launches.ts'
import { CapacityMemory } from './memory.ts'
import { distributionOf } from './siblings.ts'

const now = Date.parse('2026-01-02T03:04:05Z')
const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
const cluster = 'default/c1'

/** A MachineSet with its Machines, and the memory of one process. */
class MachineSetWorld {
  readonly apiserver = new FakeApiserver()
  readonly launches = new Launches({
    memory: new CapacityMemory(() => {}),
    backoffStore: new BackoffStore(this.apiserver.client()),
    machines: this.apiserver.cache<Machine>('Machine'),
    policies: this.apiserver.cache('InterruptionPolicy'),
    infraMachines: new Map([['AWSMachine', this.apiserver.cache<InfraMachine>('AWSMachine')]]),
  })
  #born = 0

  born(machineSet = 'ms'): string {
    const name = `m${++this.#born}`
    const ownerReferences = machineSet
      ? [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: machineSet, uid: 'u', controller: true }]
      : []
    const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachine', name }
    this.put('Machine', name, { spec: { clusterName: 'c1', infrastructureRef } }, { ownerReferences })
    this.put('AWSMachine', name, {})
    return name
  }

  put(kind: string, name: string, object: object, metadata: object = {}): void {
    const before = this.apiserver.get(kind, `default/${name}`) as { metadata?: object } | undefined
    const merged = { namespace: 'default', name, uid: name, ...before?.metadata, ...metadata }
    this.apiserver.put(kind, { spec: {}, ...before, ...object, metadata: merged } as never)
  }

  /** Its attempt shows in the cache. */
  shows(name: string, market: CapacityType, more: object = {}): void {
    const startedAt = rfc3339(now)
    const offering = `${market}:m5.large:us-east-1a`
    const attempt = { for: `default/${name}`, owner: 'o', n: 1, token: name, scope, startedAt, offering, ...more }
    this.put('AWSMachine', name, {}, { annotations: { [annotations.attempt]: JSON.stringify(attempt) } })
  }

  claims(name: string, market: CapacityType): void {
    this.launches.enter(this.#asking(name, market), now)
  }

  waits(name: string, market: CapacityType, asksFor = market): void {
    this.launches.wait({ asking: this.#asking(name, asksFor), until: now + 30_000, market }, now)
  }

  refused(name: string): void {
    this.launches.refused({ machine: this.machine(name), cluster, groups: [] }, now)
  }

  machine(name: string): Machine {
    return this.apiserver.get('Machine', `default/${name}`) as unknown as Machine
  }

  beside(name: string): CapacityType[] {
    return this.launches.siblings.marketsBeside({ machine: this.machine(name), cluster })
  }

  marketFor(name: string, distribution: Distribution): CapacityType | undefined {
    return this.launches.siblings.marketFor({ machine: this.machine(name), cluster }, distribution)
  }

  #asking(name: string, capacityType: CapacityType): Asking {
    const offering = { capacityType, instanceType: 'm5.large', zone: 'us-east-1a' }
    const asked = askedOf({ scope, offering, infra: { metadata: { name }, spec: { fallback: [{}] } } as never })
    return { key: `default/${name}`, machine: this.machine(name), cluster, asked, wake: () => {} }
  }
}

let set: MachineSetWorld
let self: string
let other: string
beforeEach(() => {
  set = new MachineSetWorld()
  self = set.born()
  other = set.born()
})

it('a machine that has not chosen is not counted, and one that has just claimed is', () => {
  expect(set.beside(self)).toEqual([])
  set.claims(other, 'OnDemand')
  expect(set.beside(self)).toEqual(['OnDemand'])
  expect(set.beside(other), 'its own claim is left out').toEqual([])
})

it('a claim is newer than the attempt that a cache shows', () => {
  set.shows(other, 'Spot')
  expect(set.beside(self)).toEqual(['Spot'])
  set.claims(other, 'OnDemand')
  expect(set.beside(self)).toEqual(['OnDemand'])
})

it('one that waits counts as what was decided for it, whatever it asks for first', () => {
  set.waits(other, 'Spot', 'OnDemand')
  expect(set.beside(self)).toEqual(['Spot'])
  set.waits(other, 'OnDemand', 'Spot')
  expect(set.beside(self)).toEqual(['OnDemand'])
})

const ready = (reason: string) => ({
  status: { conditions: [{ type: 'Ready', status: 'False', reason, message: '', lastTransitionTime: rfc3339(now) }] },
})
const refused = { kind: 'invalid', code: 'X', message: '', at: rfc3339(now), isFinal: true }

test.each<[string, (name: string) => void]>([
  ['is deleted', (name) => set.put('Machine', name, {}, { deletionTimestamp: rfc3339(now) })],
  ['has a deleted infra machine', (name) => set.put('AWSMachine', name, {}, { deletionTimestamp: rfc3339(now) })],
  ['was refused for good', (name) => set.shows(name, 'OnDemand', { refused })],
  ['was taken back', (name) => set.put('AWSMachine', name, ready('Interrupted'))],
  ['is gone', (name) => set.put('AWSMachine', name, ready('InstanceGone'))],
])('a machine that %s does not count, whatever it had', (_, happens) => {
  set.shows(other, 'OnDemand')
  set.claims(other, 'OnDemand')
  expect(set.beside(self)).toEqual(['OnDemand'])
  happens(other)
  expect(set.beside(self)).toEqual([])
})

test.each([
  [{ act: 'Delete' }, []],
  [{ act: 'Remediate' }, []],
  [{ act: 'Delete', isWaiting: true }, ['Spot']],
  [{ act: 'Cordon' }, ['Spot']],
  [{ act: 'Tell' }, ['Spot']],
  [{ act: 'Delete', instance: 'i-before' }, ['Spot']],
])('after a notice with the decision %j the siblings are %j', (what, siblings) => {
  set.shows(other, 'Spot', { handle: 'i-1' })
  const noted = { ...decided, for: `default/${other}`, ...what }
  set.put('Machine', other, {}, { annotations: { [annotations.interruption]: JSON.stringify(noted) } })
  expect(set.beside(self)).toEqual(siblings)
})

it('an instance that was adopted counts as what it is: its attempt does not tell what was asked for', () => {
  set.shows(other, 'OnDemand', { offering: undefined, handle: 'i-1' })
  expect(set.beside(self), 'nothing tells it yet').toEqual([])
  set.put('AWSMachine', other, { status: { capacityType: 'OnDemand' } })
  expect(set.beside(self)).toEqual(['OnDemand'])
})

it('what an earlier attempt had says nothing of one that has no instance yet', () => {
  set.shows(other, 'OnDemand', { offering: undefined })
  set.put('AWSMachine', other, { status: { capacityType: 'OnDemand' } })
  expect(set.beside(self)).toEqual([])
})

it('a refusal after which it goes on is no failure', () => {
  set.shows(other, 'OnDemand', { refused: { ...refused, goesOn: true } })
  expect(set.beside(self)).toEqual(['OnDemand'])
})

it('Machines of another MachineSet, or of none, are no siblings', () => {
  set.claims(set.born('ms-2'), 'OnDemand')
  set.claims(set.born(''), 'OnDemand')
  expect(set.beside(self)).toEqual([])
  const alone = set.born('')
  expect(set.marketFor(alone, { onDemandBase: 9 }), 'without a MachineSet there is no share').toBeUndefined()
  expect(set.marketFor(self, { onDemandBase: 9 })).toBe('OnDemand')
})

test.each([
  [undefined, undefined],
  ['2', undefined],
  [null, undefined],
  [{ onDemandBase: '2', onDemandPercentAboveBase: 20 }, { onDemandPercentAboveBase: 20 }],
])('garbage in spec.distribution is left out: %j', (distribution, read) => {
  expect(distributionOf({ spec: { distribution } })).toEqual(read)
})

type State = 'born' | 'claimed' | 'waiting' | 'written'
interface Sibling {
  readonly name: string
  state: State
  market: CapacityType | undefined
}

/** Each step is synchronous, as between two awaits. Any number of machines are between two of their steps. */
const steps = {
  decide: (world: MachineSetWorld, one: Sibling, distribution: Distribution) => {
    if (one.state !== 'born' && one.state !== 'waiting') return
    one.market = world.marketFor(one.name, distribution) ?? 'Spot'
    one.state = 'claimed'
    world.claims(one.name, one.market)
  },
  wait: (world: MachineSetWorld, one: Sibling, distribution: Distribution) => {
    if (one.state !== 'born' && one.state !== 'waiting') return
    one.market = world.marketFor(one.name, distribution) ?? 'Spot'
    one.state = 'waiting'
    world.waits(one.name, one.market, 'OnDemand')
  },
  show: (world: MachineSetWorld, one: Sibling) => {
    if (one.state !== 'claimed') return
    one.state = 'written'
    world.shows(one.name, one.market ?? 'Spot')
  },
  refuse: (world: MachineSetWorld, one: Sibling) => {
    if (one.state !== 'claimed' && one.state !== 'written') return
    one.state = 'born'
    world.refused(one.name)
  },
  failToWrite: (world: MachineSetWorld, one: Sibling) => {
    if (one.state !== 'claimed') return
    one.state = 'born'
    world.launches.end(`default/${one.name}`)
  },
} as const

const kinds = [...(Object.keys(steps) as (keyof typeof steps)[]), 'lose', 'fail'] as const

it('whatever is born, lost and refused while several decide at once, the share is exact when all have chosen', () => {
  const share = fc.record({ onDemandBase: fc.integer({ min: 0, max: 6 }), onDemandPercentAboveBase: fc.nat(100) })
  const ops = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(20)), { maxLength: 120 })
  fc.assert(
    fc.property(share, fc.integer({ min: 1, max: 20 }), ops, (distribution, machines, happened) => {
      const world = new MachineSetWorld()
      const born = (): Sibling => ({ name: world.born(), state: 'born', market: undefined })
      const living = Array.from({ length: machines }, born)
      for (const [kind, pick] of happened) {
        const at = pick % machines
        const one = living[at] as Sibling
        if (kind === 'lose' || kind === 'fail') {
          const isLost = kind === 'lose'
          if (isLost) world.put('Machine', one.name, {}, { deletionTimestamp: rfc3339(now) })
          else world.put('AWSMachine', one.name, ready('Interrupted'))
          living[at] = born()
        } else steps[kind](world, one, distribution)
        expect(world.beside((living[at] as Sibling).name).length).toBeLessThan(machines)
      }
      for (const one of living) {
        steps.decide(world, one, distribution)
        steps.show(world, one)
      }
      const onDemand = living.filter(({ market }) => market === 'OnDemand').length
      expect(onDemand).toBe(leastOnDemand(machines, distribution))
    }),
    { numRuns: 200 },
  )
})
