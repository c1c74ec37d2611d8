import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Node, NodeCondition, Taint } from '../../machine.ts'
import { noticeConditions, noticesOfNode, noticeTaints } from './node-notice.ts'

const now = Date.UTC(2026, 10, 19, 12)
const minute = 60_000
const hour = 60 * minute
const iso = (ms: number) => new Date(ms).toISOString()

function said(...conditions: Partial<NodeCondition>[]) {
  const whole = conditions.map((condition) => ({ type: 'Terminating', status: 'True', ...condition }))
  return noticesOfNode({ metadata: { name: 'n1' }, status: { conditions: whole } }, now).says
}

function tainted(...taints: Partial<Taint>[]) {
  const whole = taints.map((taint) => ({ key: 'x', effect: 'NoSchedule', ...taint }))
  return noticesOfNode({ metadata: { name: 'n1' }, spec: { taints: whole } }, now).says
}

describe('a condition that is True', () => {
  it.each([
    ['Terminating', 'Spot', 'Agent'],
    ['SpotInterruption', 'Spot', 'Node'],
    ['PreemptionScheduled', 'Spot', 'Node'],
    ['GCESpotPreempting', 'Spot', 'Node'],
    ['MaintenanceScheduled', 'Maintenance', 'Agent'],
    ['RebalanceRecommended', 'Rebalance', 'Agent'],
  ])('%s is a notice of the kind %s', (type, kind, source) => {
    expect(said({ type })).toEqual({ kind, at: now, source })
    expect(noticeConditions).toContain(type)
  })

  it('tells since when', () => {
    const lastTransitionTime = '2026-11-19T11:59:58Z'
    expect(said({ lastTransitionTime })).toMatchObject({ at: now - 2_000 })
    expect(said({ lastTransitionTime: 'yesterday' })).toMatchObject({ at: now })
    expect(said({ lastTransitionTime: iso(now + hour) })).toMatchObject({ at: now })
  })

  it('Terminating with the reason of the handler of OpenShift is not of our agent', () => {
    expect(said({ reason: 'TerminationRequested' })).toMatchObject({ kind: 'Spot', source: 'Node' })
  })
})

it.each(['False', 'Unknown', ''])('a condition with the status "%s" announces nothing', (status) => {
  const types = [...noticeConditions].filter((type) => type !== 'Ready')
  expect(types.map((type) => said({ type, status }))).toEqual(types.map(() => undefined))
})

it('conditions and taints that nobody has told us of announce nothing', () => {
  expect(said({ type: 'MemoryPressure' }, { type: 'VMEventScheduled' }, { type: 'terminating' })).toBeUndefined()
  expect(tainted({ key: 'node.kubernetes.io/unschedulable' })).toBeUndefined()
  expect(tainted({ key: 'aws-node-termination-handler/asg-lifecycle-termination' })).toBeUndefined()
  expect(noticesOfNode({ metadata: { name: 'bare' } }, now).says).toBeUndefined()
})

describe('the deadline', () => {
  it.each([
    `The instance ends at ${iso(now + 2 * minute)}`,
    `The instance ends at ${iso(now + 2 * minute)}. `,
    iso(now + 2 * minute),
    'The instance ends at 2026-11-19T13:02:00+01:00',
    'The instance ends at 2026-11-19T12:02:00.000Z',
  ])('is the time at the end of the message: %s', (message) => {
    expect(said({ message })).toMatchObject({ deadline: now + 2 * minute })
  })

  it.each([
    '',
    'The cloud marked this node for termination',
    `At ${iso(now + minute)} or so`,
    'The instance ends at 2026-99-99T99:99:99Z',
    'The instance ends at 2026-11-19T12:02:00',
  ])('is unknown, and the notice stands, with the message "%s"', (message) => {
    expect(said({ message })).toEqual({ kind: 'Spot', at: now, source: 'Agent' })
  })

  it.each([
    ['an hour ago', now - hour],
    ['a day ahead', now + 24 * hour],
  ])('%s is plausible', (_, deadline) => {
    expect(said({ message: iso(deadline) })).toMatchObject({ deadline })
  })

  it.each([
    ['longer ago than an hour', now - hour - 1],
    ['further ahead than a day', now + 24 * hour + 1],
  ])('%s is absurd, and there is no notice', (_, deadline) => {
    expect(said({ message: iso(deadline) })).toBeUndefined()
  })

  it('that is absurd is told apart, for those who count', () => {
    const absurd = { type: 'Terminating', status: 'True', message: iso(0) }
    const plausible = { type: 'RebalanceRecommended', status: 'True' }
    const node: Node = { metadata: { name: 'n1' }, status: { conditions: [absurd, plausible] } }
    expect(noticesOfNode(node, now).absurd).toMatchObject([{ kind: 'Spot', deadline: 0 }])
  })

  it('of maintenance may be weeks ahead', () => {
    const inTwoWeeks = now + 14 * 24 * hour
    expect(said({ type: 'MaintenanceScheduled', message: iso(inTwoWeeks) })).toMatchObject({ deadline: inTwoWeeks })
    expect(said({ type: 'MaintenanceScheduled', message: iso(now + 61 * 24 * hour) })).toBeUndefined()
  })

  it('an absurd one does not hide what else the Node says', () => {
    expect(said({ message: iso(0) }, { type: 'RebalanceRecommended' })).toMatchObject({ kind: 'Rebalance' })
    expect(said({ message: iso(0) }, { type: 'NodeShutdown' })).toBe('listNow')
  })
})

describe('PreemptionScheduled of AKS', () => {
  const type = 'PreemptionScheduled'

  it('has the time of the scheduled event in its message', () => {
    const message = 'Preempt Scheduled: Thu, 19 Nov 2026 12:00:30 GMT. For more information, see a page. EventId: 1'
    expect(said({ type, message })).toMatchObject({ kind: 'Spot', deadline: now + 30_000 })
  })

  it.each(['Preempt Started', 'Preempt Scheduled: Thu, 19 Nov 2026 12:00:30 PST. For more'])(
    '%s: no time',
    (message) => {
      expect(said({ type, message })).toEqual({ kind: 'Spot', at: now, source: 'Node' })
    },
  )

  it('with a recommendation in its message is one', () => {
    const message = 'SpotRebalanceRecommendation Advisory. For more information, see a page.'
    expect(said({ type, message })).toMatchObject({ kind: 'Rebalance' })
  })
})

describe('taints of the node termination handler', () => {
  it.each([
    ['aws-node-termination-handler/spot-itn', 'Spot'],
    ['aws-node-termination-handler/scheduled-maintenance', 'Maintenance'],
    ['aws-node-termination-handler/rebalance-recommendation', 'Rebalance'],
  ])('%s is a notice of the kind %s without deadline', (key, kind) => {
    expect(tainted({ key, value: 'event-1' })).toEqual({ kind, at: now, source: 'Node' })
    expect(noticeTaints).toContain(key)
  })

  it('tell since when, if the taint does', () => {
    const timeAdded = '2026-11-19T11:59:00Z'
    expect(tainted({ key: 'aws-node-termination-handler/spot-itn', timeAdded })).toMatchObject({ at: now - minute })
  })
})

describe('several at once', () => {
  it('the most severe counts, and of two the one with the earlier deadline, in any order', () => {
    const spot = [{ message: iso(now + 2 * minute) }, { type: 'GCESpotPreempting', message: iso(now + minute) }]
    const all = [
      { type: 'RebalanceRecommended' },
      { type: 'MaintenanceScheduled' },
      ...spot,
      { type: 'SpotInterruption' },
    ]
    for (const order of [all, all.toReversed()]) {
      expect(said(...order)).toMatchObject({ kind: 'Spot', deadline: now + minute })
    }
    expect(said(...all.slice(0, 2))).toMatchObject({ kind: 'Maintenance' })
  })

  it('a notice counts before a shutdown', () => {
    expect(said({ type: 'NodeShutdown' }, { type: 'RebalanceRecommended' })).toMatchObject({ kind: 'Rebalance' })
  })
})

describe('a shutdown', () => {
  it('that the kubelet tells of, or our agent, only means to list at once: a reboot looks the same', () => {
    expect(said({ type: 'NodeShutdown' })).toBe('listNow')
    expect(said({ type: 'Ready', status: 'False', message: 'node is shutting down' })).toBe('listNow')
    const listed = '[container runtime is down, node is shutting down]'
    expect(said({ type: 'Ready', status: 'Unknown', message: listed })).toBe('listNow')
  })

  it('a Node that is ready, or not ready for another reason, does not shut down', () => {
    expect(said({ type: 'Ready', status: 'True', message: 'node is shutting down' })).toBeUndefined()
    expect(said({ type: 'Ready', status: 'False', message: 'container runtime is down' })).toBeUndefined()
  })
})

it('whatever a Node holds, nothing is thrown, and times are within their bounds', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(...noticeConditions, 'True', ...noticeTaints),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  )
  const condition = fc.record({ type: text, status: text }, { requiredKeys: ['type', 'status'] })
  const more = fc.record({ message: text, reason: text, lastTransitionTime: text }, { requiredKeys: [] })
  const whole = fc.tuple(condition, more).map(([one, other]) => ({ ...one, ...other }))
  const taint = fc.record({ key: text, effect: text, timeAdded: text }, { requiredKeys: ['key', 'effect'] })
  fc.assert(
    fc.property(fc.array(whole), fc.array(taint), (conditions, taints) => {
      const node: Node = { metadata: { name: 'n' }, spec: { taints }, status: { conditions } }
      const { says } = noticesOfNode(node, now)
      const { at, deadline = now } = says === undefined || says === 'listNow' ? { at: now } : says
      return at <= now && deadline >= now - hour && deadline <= now + 60 * 24 * hour
    }),
  )
})
