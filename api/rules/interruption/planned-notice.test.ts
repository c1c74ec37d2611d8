import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Interruption } from '../../interruption.ts'
import { core } from '../../labels.ts'
import type { Machine } from '../../machine.ts'
import type { Notice } from '../../notice.ts'
import { onNotice, type NoticeFacts } from './on-notice.ts'

const now = Date.UTC(2026, 0, 1, 12)
const seconds = (s: number) => s * 1000
const rebalance: Notice = { instance: 'i-1', kind: 'Rebalance', source: 'Agent', at: now }
const spot: Notice = { instance: 'i-1', kind: 'Spot', source: 'Agent', at: now, deadline: now + seconds(120) }
const terms = {
  onNotice: 'DeleteMachine',
  onRebalance: 'Replace',
  replacement: 'Ahead',
  drain: 'AtOnce',
  heldPods: 'Delete',
  maxAhead: undefined,
  minHealthyMs: seconds(600),
} as const
const machine: Machine = {
  metadata: { namespace: 'default', name: 'm1' },
  spec: { clusterName: 'c1' },
  status: { nodeRef: { name: 'n1' } },
}
const facts: NoticeFacts = {
  notice: rebalance,
  key: 'default/m1',
  machine,
  cluster: {
    metadata: { namespace: 'default', name: 'c1' },
    spec: { controlPlaneRef: { apiGroup: 'g', kind: 'K', name: 'n' } },
  },
  machineSet: { name: 'set', revision: '3', isCurrent: true },
  runningSince: now - seconds(3600),
  terms,
  before: undefined,
  ahead: { count: 0, isBusy: false },
  shutUntil: undefined,
  now,
}
const decision = (over: Partial<NoticeFacts> = {}) => onNotice({ ...facts, ...over })
const busy = { ahead: { count: 1, isBusy: true } }
const begun = decision()
const waiting = decision(busy)
const metadataWith = (more: object) => ({ machine: { ...machine, metadata: { ...machine.metadata, ...more } } })

describe('a planned replacement', () => {
  it('comes ahead, and the Machine serves until it is available, whatever the policy says of notices', () => {
    const begins = { act: 'Delete', isAhead: true, drain: 'WhenReplaced', heldPods: 'Keep' }
    expect(begun).toMatchObject(begins)
    expect(decision({ terms: { ...terms, replacement: 'Afterwards', onNotice: 'ConditionOnly' } })).toMatchObject(
      begins,
    )
    expect(decision({ notice: { ...rebalance, kind: 'Maintenance' } })).toMatchObject(begins)
  })

  it('of a lifetime needs no onRebalance', () => {
    const lifetime = { ...rebalance, kind: 'Lifetime', source: 'Clock' } as const
    for (const onRebalance of ['Ignore', 'ConditionOnly', 'Cordon', 'Replace'] as const) {
      expect(decision({ notice: lifetime, terms: { ...terms, onRebalance } })).toMatchObject({ act: 'Delete' })
    }
  })

  it.each<[string, Partial<NoticeFacts>]>([
    ['another one of its owner has begun', busy],
    ['its owner has maxAhead replacements', { ahead: { count: 2, isBusy: false }, terms: { ...terms, maxAhead: 2 } }],
    ['it is younger than minHealthySeconds', { runningSince: now - seconds(599) }],
    ['it has not run yet', { runningSince: undefined }],
    ['its offering is in a pause', { shutUntil: now + 1 }],
    [
      'its template is an old one, which a roll-out replaces',
      { machineSet: { name: 's', revision: '3', isCurrent: false } },
    ],
    ['core updates it in place', metadataWith({ annotations: { [core.inPlaceUpdate]: '' } })],
  ])('waits for its turn while %s, and is told of', (_, over) => {
    expect(decision(over)).toMatchObject({ act: 'Tell', isWaiting: true, isAhead: false })
  })

  it('that waits begins when its turn comes', () => {
    expect(decision({ before: waiting })).toEqual(begun)
    expect(decision({ before: waiting, ...busy })).toBeUndefined()
  })

  it('is only told of where nobody would replace the Machine, or nobody would drain it: a cordon takes capacity away', () => {
    const told = decision({ ...busy, machineSet: undefined })
    expect(told).toMatchObject({ act: 'Tell', because: expect.stringContaining('nobody would replace it') as string })
    expect(told?.isWaiting).toBeUndefined()
    expect(decision({ cluster: undefined })).toMatchObject({ act: 'Tell' })
    expect(decision({ ...busy, ...metadataWith({ labels: { [core.controlPlane]: '' } }) })).toMatchObject({
      act: 'Tell',
    })
  })

  it('waits on while its MachineSet is not seen', () => {
    expect(decision({ before: waiting, machineSet: undefined })).toBeUndefined()
  })

  it('is none of a Machine that is being deleted anyway', () => {
    const leaving = metadataWith({ deletionTimestamp: '2026-01-01T11:59:00Z' })
    expect(decision(leaving)).toBeUndefined()
    expect(decision({ ...leaving, before: waiting })).toBeUndefined()
  })
})

describe('a policy that changes', () => {
  const now_ = (onRebalance: 'ConditionOnly' | 'Cordon') => ({ terms: { ...terms, onRebalance } })

  it('while it waits lets the Machine stay', () => {
    const stays = decision({ before: waiting, ...busy, ...now_('ConditionOnly') })
    expect(stays).toMatchObject({ act: 'Tell' })
    expect(stays?.isWaiting).toBeUndefined()
    expect(decision({ before: waiting, ...now_('Cordon') })).toMatchObject({ act: 'Cordon' })
  })

  it('and back makes it wait again', () => {
    const stays = decision(now_('ConditionOnly'))
    expect(decision({ before: stays, ...busy })).toMatchObject({ act: 'Tell', isWaiting: true })
  })

  it('changes nothing once it has begun', () => {
    expect(decision({ before: begun, ...now_('ConditionOnly') })).toBeUndefined()
  })
})

describe('a notice that the instance ends', () => {
  it('while it waits is acted on at once', () => {
    expect(decision({ ...busy, before: waiting, notice: spot })).toMatchObject({
      act: 'Delete',
      kind: 'Spot',
      drain: 'AtOnce',
    })
  })

  it('after it has begun makes no second replacement: it has a deadline, and its Pods a last call', () => {
    expect(decision({ before: begun, notice: spot })).toEqual({
      ...begun,
      kind: 'Spot',
      deadline: '2026-01-01T12:02:00Z',
      heldPods: 'Delete',
    })
  })

  it('after it has begun counts also without a deadline', () => {
    const { deadline: _, ...soon } = spot
    expect(decision({ before: begun, notice: soon })).toMatchObject({ kind: 'Spot', heldPods: 'Delete' })
  })

  it('that the policy only tells of leaves its wait alone', () => {
    const told = { terms: { ...terms, onNotice: 'ConditionOnly' as const }, notice: spot }
    expect(decision({ ...busy, before: waiting, ...told })).toEqual({ ...waiting, deadline: '2026-01-01T12:02:00Z' })
  })
})

it('maintenance that comes earlier brings its deadline forward, and it does not begin twice', () => {
  const soon = { ...rebalance, kind: 'Maintenance', deadline: now + seconds(300) } as const
  expect(decision({ before: begun, ...busy, notice: soon })).toEqual({
    ...begun,
    kind: 'Maintenance',
    deadline: '2026-01-01T12:05:00Z',
  })
})

describe('whatever came before', () => {
  const kinds = ['Spot', 'CapacityEnding', 'Rebalance', 'Maintenance', 'Lifetime', 'Rehearsal'] as const
  const any = fc.record({
    kind: fc.constantFrom(...kinds),
    deadline: fc.option(fc.integer({ min: -90, max: 600 }), { nil: undefined }),
    count: fc.nat(3),
    isBusy: fc.boolean(),
    ageS: fc.option(fc.nat(1200), { nil: undefined }),
    maxAhead: fc.constantFrom(undefined, 1, 2),
    onRebalance: fc.constantFrom('Ignore', 'ConditionOnly', 'Cordon', 'Replace'),
    onNotice: fc.constantFrom('DeleteMachine', 'Remediate', 'ConditionOnly'),
  })
  type Facts = typeof any extends fc.Arbitrary<infer T> ? T : never
  const decide = (before: Interruption | undefined, one: Facts, at: number) => {
    const { kind, deadline, count, isBusy, ageS, maxAhead, onRebalance, onNotice: asked } = one
    const notice = { ...rebalance, kind, ...(deadline === undefined ? {} : { deadline: at + seconds(deadline) }) }
    const policy = { ...terms, maxAhead, onRebalance, onNotice: asked }
    const runningSince = ageS === undefined ? undefined : at - seconds(ageS)
    return decision({ before, notice, terms: policy, ahead: { count, isBusy }, runningSince, now: at })
  }

  /** Of the decisions here only planned ones wait for the replacement. */
  const isOutOfTurn = ({ drain, isAhead }: Interruption, one: Facts) => {
    const { isBusy, ageS = 0, count, maxAhead = Infinity } = one
    return (drain === 'WhenReplaced' && (isBusy || ageS < 600)) || (isAhead === true && count >= maxAhead)
  }

  it('a planned one never begins out of its turn, and nothing is ahead beyond maxAhead', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 5 }), (all) => {
        let before: Interruption | undefined
        for (const [n, one] of all.entries()) {
          const next = decide(before, one, now + seconds(n))
          expect(next?.act === 'Delete' && before?.act !== 'Delete' && isOutOfTurn(next, one)).toBe(false)
          before = next ?? before
        }
      }),
    )
  })

  it('what has begun stays begun: its replacement is not made twice, and its hook is not forgotten', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 5 }), (all) => {
        let before = begun
        for (const [n, one] of all.entries()) before = decide(before, one, now + seconds(n)) ?? before
        expect(before).toMatchObject({ act: 'Delete', isAhead: true, drain: 'WhenReplaced', at: begun?.at })
      }),
    )
  })

  it('what waits only tells', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 5 }), (all) => {
        let before: Interruption | undefined
        for (const [n, one] of all.entries()) before = decide(before, one, now + seconds(n)) ?? before
        const { isWaiting, act, isAhead } = before ?? {}
        expect(isWaiting === true && (act !== 'Tell' || isAhead !== false)).toBe(false)
      }),
    )
  })
})
