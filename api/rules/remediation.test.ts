import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { group, BackoffWorld } from '../../test/support/worlds/backoff-world.ts'
import type { BackoffGroup, BackoffTerms } from './backoff-group.ts'
import type { Outcome } from './outcome.ts'
import { planRemediation, type Candidate } from './remediation.ts'

const seconds = 1_000
const terms: BackoffTerms = { initialMs: 30_000, maxMs: 300_000, minHealthyMs: 600_000, patienceMs: 900_000 }
const start = Date.UTC(2026, 0, 1)

const worlds = fc.record({
  machines: fc.integer({ min: 1, max: 12 }),
  outageS: fc.integer({ min: 1, max: 1_500 }),
  removalMs: fc.integer({ min: 1, max: 20 }).map((s) => s * seconds),
  bootMs: fc.integer({ min: 1, max: 60 }).map((s) => s * seconds),
  initialMs: fc.integer({ min: 1, max: 60 }).map((s) => s * seconds),
  restarts: fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 5 }),
})

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never

function begin({ machines, outageS, removalMs, bootMs, initialMs, restarts }: World): BackoffWorld {
  return new BackoffWorld({
    machines,
    terms: { ...terms, initialMs },
    hasCapacity: (now) => now >= start + outageS * seconds,
    removalMs,
    bootMs,
    restarts: new Set(restarts.map((s) => start + s * seconds)),
  })
}

it('while an offering is not to be had, one machine at a time tries it, ever more seldom, through restarts', () => {
  fc.assert(
    fc.property(worlds, (given) => {
      const world = begin(given)
      world.run(given.outageS * seconds)
      const pauses = Array.from({ length: given.outageS }, (_, n) => Math.min(terms.maxMs, given.initialMs * 2 ** n))
      let left = given.outageS * seconds
      const tries = pauses.filter((pause) => (left -= pause) >= 0).length
      expect(world.mostAtOnce).toBeLessThanOrEqual(1)
      expect(world.asked - given.machines).toBeLessThanOrEqual(tries)
      expect(world.delays).toEqual(world.delays.toSorted((a, b) => a - b))
    }),
    { numRuns: 40 },
  )
})

it('when it can be had again all run, one pause and a few waves later', () => {
  fc.assert(
    fc.property(worlds, (given) => {
      const world = begin(given)
      world.run(given.outageS * seconds)
      const oneStep = 2 * (given.removalMs + given.bootMs) + 10 * seconds
      const waves = Math.ceil(Math.log2(given.machines)) * Math.min(15 * seconds, given.initialMs)
      world.run(terms.maxMs + oneStep + waves)
      expect(world.running).toBe(given.machines)
    }),
    { numRuns: 20 },
  )
})

it('the same facts give the same plan', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 0, max: 600 }), (given, forS) => {
      const world = begin(given)
      world.run(forS * seconds)
      const once = world.plan()
      world.begin(once)
      expect(world.plan().decisions).toEqual(once.decisions)
      expect(world.plan().groups).toEqual(once.groups)
    }),
    { numRuns: 20 },
  )
})

describe('where Nodes do not come', () => {
  const nodeStartupMs = 600 * seconds
  const withoutNodes = (machines: number) =>
    new BackoffWorld({
      machines,
      terms,
      hasCapacity: () => true,
      removalMs: 10 * seconds,
      bootMs: 30 * seconds,
      nodes: { startupMs: nodeStartupMs, come: () => false },
    })

  it('one machine at a time is replaced, however many there are', () => {
    const replaced = [1, 10].map((machines) => {
      const world = withoutNodes(machines)
      world.run(7_200 * seconds)
      return world.asked - machines
    })
    expect(replaced[0]).toBeGreaterThan(3)
    expect(replaced[1]).toBe(replaced[0])
  })

  it('all are replaced once they come', () => {
    const nodes = { startupMs: nodeStartupMs, come: (now: number) => now >= start + 3_600 * seconds }
    const world = new BackoffWorld({
      machines: 10,
      terms,
      hasCapacity: () => true,
      removalMs: 10 * seconds,
      bootMs: 30 * seconds,
      nodes,
    })
    world.run(3_600 * seconds + nodeStartupMs + terms.maxMs + 300 * seconds)
    expect(world.withNode).toBe(10)
  })
})

it('capacity that comes back by the piece is found, and not asked for by everybody with each piece', () => {
  let free = 0
  let last = start
  const world = new BackoffWorld({
    machines: 200,
    terms,
    hasCapacity: (now) => {
      free += Math.floor((now - last) / (60 * seconds))
      last += Math.floor((now - last) / (60 * seconds)) * 60 * seconds
      if (free === 0) return false
      free -= 1
      return true
    },
    removalMs: 5 * seconds,
    bootMs: 20 * seconds,
  })
  world.run(3_600 * seconds)
  expect(world.running).toBeGreaterThanOrEqual(50)
  // One instance becomes free each minute: the pause after it, whichever machine tries, and the first wave that
  // follows.
  expect(world.asked - 200).toBeLessThanOrEqual(60 * 6)
})

const failed = (at: number, over: Partial<Outcome & { is: 'failed' }> = {}): Outcome => ({
  is: 'failed',
  group,
  at: start + at * seconds,
  cameUp: false,
  reason: 'InsufficientCapacity',
  requestedAt: start + at * seconds,
  ...over,
})

function candidate(name: string, outcome: Outcome, over: Partial<Candidate> = {}): Candidate {
  const owner = 'MachineDeployment default/md'
  return { key: `default/${name}`, owner, outcome, terms, isReleased: false, isFixed: false, ...over }
}

function planAt(at: number, machines: readonly Candidate[], groups: ReadonlyMap<string, BackoffGroup> = new Map()) {
  return planRemediation({ now: start + at * seconds, machines, groups })
}

describe('the Machines that are replaced', () => {
  it('all that served for long, at once', () => {
    const machines = ['a', 'b', 'c'].map((name) => candidate(name, { is: 'over', reason: 'Interrupted' }))
    const { decisions } = planAt(0, machines)
    expect([...decisions.values()].map((decision) => decision.do)).toEqual(['replace', 'replace', 'replace'])
  })

  it('no Machine that nothing would replace, though its failure counts for its offering', () => {
    const { decisions, groups } = planAt(60, [candidate('a', failed(0), { isFixed: true })])
    expect(decisions.get('default/a')).toEqual({ do: 'nothing' })
    expect(groups.get(group)).toMatchObject({ failures: 1 })
  })

  it('a waiting Machine shows the time and the number of the next attempt', () => {
    const { decisions, lookAgainAt } = planAt(1, [candidate('a', failed(0))])
    expect(decisions.get('default/a')).toMatchObject({ do: 'wait', until: start + 30_000, attempt: 2 })
    expect(lookAgainAt).toBe(start + 30_000)
  })

  it('the next one, when nothing was heard of the first for longer than it may take', () => {
    const machines = [candidate('a', failed(0)), candidate('b', failed(0))]
    const first = planAt(30, machines)
    expect(first.groups.get(group)?.probe?.machine).toBe('default/a')
    expect(planAt(30 + 899, machines, first.groups).groups.get(group)?.probe?.machine).toBe('default/a')
    expect(planAt(30 + 900, machines, first.groups).groups.get(group)?.probe?.machine).toBe('default/b')
  })

  it('none while another machine asks for the same', () => {
    const underWay = candidate('b', {
      is: 'underWay',
      groups: [group],
      requestedAt: start + 25 * seconds,
      patientUntil: start + 925 * seconds,
    })
    const { decisions } = planAt(31, [candidate('a', failed(0)), underWay])
    expect(decisions.get('default/a')?.do).toBe('wait')
  })
})

describe('what others do', () => {
  const others = (triedSince: number) => () => ({ triedSince: start + triedSince * seconds })
  const doingAt = (at: number, triedSince: number) => {
    const machines = [candidate('a', failed(0))]
    const given = { now: start + at * seconds, machines, groups: new Map(), others: others(triedSince) }
    return planRemediation(given).decisions.get('default/a')?.do
  }

  it('is waited for, as it tells how it goes there', () => {
    expect(doingAt(31, 20)).toBe('wait')
  })

  it('is waited for no longer than one’s own pause was, though their try never ends, or begins again and again', () => {
    expect([59, 60].map((at) => doingAt(at, 20))).toEqual(['wait', 'replace'])
    expect([59, 60].map((at) => doingAt(at, at - 1))).toEqual(['wait', 'replace'])
  })

  it('counts as a step where it fails after one’s own pause, and not before', () => {
    const plan = (refusedAt: number) => {
      const heard = () => ({ refusedAt: start + refusedAt * seconds })
      const given = { now: start + 31 * seconds, machines: [candidate('a', failed(0))], groups: new Map() }
      return planRemediation({ ...given, others: heard }).groups.get(group)?.failures
    }
    expect([-10, 29, 30, 40].map(plan)).toEqual([1, 1, 2, 1])
  })

  it('opens the way for all where it succeeds', () => {
    const served = { requestedAt: start + 5 * seconds, at: start + 9 * seconds }
    const given = { now: start + 10 * seconds, machines: [candidate('a', failed(0))], groups: new Map() }
    const { decisions } = planRemediation({ ...given, others: () => ({ served }) })
    expect(decisions.get('default/a')?.do).toBe('replace')
  })
})

it('facts in any order: passing them again changes nothing', () => {
  const times = fc.integer({ min: 0, max: 600 }).map((s) => start + s * seconds)
  const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
    fc
      .record({ at: times, cameUp: fc.boolean() })
      .map(({ at, cameUp }) => ({ ...failed(0), at, cameUp, requestedAt: at }) as Outcome),
    fc
      .record({ requestedAt: times, at: times })
      .map((served) => ({ is: 'serving', groups: [group], ...served }) as const),
  )
  const termsOfGroups = fc
    .record({ initialMs: fc.integer({ min: 1, max: 600 }), maxMs: fc.integer({ min: 1, max: 600 }) })
    .map(({ initialMs, maxMs }) => ({
      ...terms,
      initialMs: initialMs * seconds,
      maxMs: Math.max(initialMs, maxMs) * seconds,
    }))
  const heard = fc.record({ refusedAt: times, endedAt: times, triedSince: times }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(outcomes, { maxLength: 8 }), termsOfGroups, heard, (all, each, told) => {
      const machines = all.map((outcome, n) => candidate(`m${n}`, outcome, { terms: each, isFixed: true }))
      const facts = { now: start + 600 * seconds, machines, others: () => told }
      const once = planRemediation({ ...facts, groups: new Map() }).groups
      const shuffled = { ...facts, machines: machines.toReversed() }
      expect(planRemediation({ ...shuffled, groups: once }).groups).toEqual(once)
    }),
  )
})

describe('what is remembered', () => {
  const other = 'pool aws/default/us-east-1 Spot:m5.large:us-east-1b'
  const first = planAt(30, [candidate('a', failed(0)), candidate('b', failed(0))])
  const left = candidate('b', failed(0))

  it('a replacement that came up in another zone leaves the way to the next one', () => {
    const served: Outcome = { is: 'serving', groups: [other], requestedAt: start + 40_000, at: start + 45_000 }
    const { decisions } = planAt(45, [left, candidate('a2', served)], first.groups)
    expect(decisions.get('default/b')?.do).toBe('replace')
  })

  it('one that failed in another zone costs a pause that does not grow', () => {
    const { decisions, groups } = planAt(45, [left, candidate('a2', failed(40, { group: other }))], first.groups)
    expect(decisions.get('default/b')).toMatchObject({ do: 'wait', until: start + 75_000, attempt: 2 })
    expect(groups.get(group)?.failures).toBe(1)
  })

  it('instances that come up and end too soon make the pauses grow, though others come up', () => {
    const diedAt = (at: number) => candidate(`d${at}`, failed(at, { cameUp: true }))
    const served = (at: number): Outcome => {
      const ms = start + at * seconds
      return { is: 'serving', groups: [group], requestedAt: ms, at: ms }
    }
    let { groups } = planAt(0, [diedAt(0)])
    for (const [n, at] of [40, 200, 400].entries()) {
      groups = planAt(at, [candidate('s', served(at))], groups).groups
      groups = planAt(at + 1, [diedAt(at + 1)], groups).groups
      expect(groups.get(group)?.failures).toBe(n + 2)
    }
  })

  it('one that serves for long ends the count', () => {
    const { groups } = planAt(0, [candidate('a', failed(0))])
    const served: Outcome = { is: 'serving', groups: [group], requestedAt: start + 40_000, at: start + 50_000 }
    expect(planAt(51, [candidate('s', served)], groups).groups.get(group)).toMatchObject({ openedAt: start + 50_000 })
    const opened = planAt(51, [candidate('s', served)], groups).groups
    expect(planAt(650, [candidate('s', served)], opened).groups.has(group)).toBe(false)
  })
})
