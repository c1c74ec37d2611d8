import { describe, expect, it } from 'vitest'
import { decided } from '../../../test/support/decided.ts'
import { core } from '../../labels.ts'
import type { Cluster, Machine } from '../../machine.ts'
import { noticeKinds, type Notice } from '../../notice.ts'
import { onNotice, type NoticeFacts } from './on-notice.ts'

const now = Date.UTC(2026, 0, 1, 12)
const seconds = (s: number) => s * 1000
const notice: Notice = { instance: 'i-1', kind: 'Spot', source: 'SpotRequests', at: now, deadline: now + seconds(120) }

const machine: Machine = {
  metadata: { namespace: 'default', name: 'm1' },
  spec: { clusterName: 'c1' },
  status: { nodeRef: { name: 'n1' } },
}
const cluster: Cluster = {
  metadata: { namespace: 'default', name: 'c1' },
  spec: { controlPlaneRef: { apiGroup: 'g', kind: 'K', name: 'n' } },
}
const terms = {
  onNotice: 'DeleteMachine',
  onRebalance: 'ConditionOnly',
  replacement: 'Ahead',
  drain: 'AtOnce',
  heldPods: 'Delete',
  maxAhead: undefined,
  minHealthyMs: seconds(600),
} as const

function decision(over: Partial<NoticeFacts> = {}) {
  return onNotice({
    notice,
    key: 'default/m1',
    machine,
    cluster,
    machineSet: { name: 'set', revision: '3', isCurrent: true },
    runningSince: now - seconds(3600),
    terms,
    before: undefined,
    ahead: { count: 0, isBusy: false },
    shutUntil: undefined,
    now,
    ...over,
  })
}

function machineWith(
  metadata: Partial<Machine['metadata']>,
  status: Machine['status'] = machine.status ?? {},
): Machine {
  return { ...machine, metadata: { ...machine.metadata, ...metadata }, status }
}

describe('a notice that the instance is taken back', () => {
  it('deletes the Machine, and the replacement comes ahead', () => {
    expect(decision()).toEqual({ ...decided, because: undefined })
  })

  it('of an instance that ran for less than minHealthySeconds counts as a failure, so that the pool pauses', () => {
    expect(decision({ runningSince: now - seconds(599) })).toMatchObject({ act: 'Remediate', isAhead: false })
    expect(decision({ runningSince: now - seconds(600) })).toMatchObject({ act: 'Delete' })
  })

  it('of an instance that has not run yet counts as a failure too', () => {
    expect(decision({ runningSince: undefined })).toMatchObject({ act: 'Remediate', isAhead: false })
  })

  it('of a stand-alone Machine deletes nothing: nobody would replace it', () => {
    const told = decision({ machineSet: undefined })
    expect(told?.act).toBe('Cordon')
    expect(told?.because).toBe('No MachineSet controls the Machine, so nobody would replace it.')
  })

  it('of a control plane Machine is told', () => {
    const controlPlane = machineWith({ labels: { [core.controlPlane]: '' } })
    expect(decision({ machine: controlPlane })).toMatchObject({ act: 'Tell' })
  })

  it('deletes nothing where core would not drain: that would only end the instance sooner', () => {
    const { controlPlaneRef: _, ...spec } = cluster.spec
    expect(decision({ cluster: { ...cluster, spec } })).toMatchObject({ act: 'Cordon' })
    const going = { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: '2026-01-01T11:59:00Z' } }
    expect(decision({ cluster: going })).toMatchObject({ act: 'Cordon' })
  })

  it('deletes a Machine without a Node there too: there is nothing to drain', () => {
    const { controlPlaneRef: _, ...spec } = cluster.spec
    expect(decision({ machine: machineWith({}, {}), cluster: { ...cluster, spec } })).toMatchObject({ act: 'Delete' })
  })

  it('of a Machine of an old template makes no other one of that template', () => {
    const old = { name: 'set', revision: '4', isCurrent: false }
    expect(decision({ machineSet: old })).toMatchObject({ act: 'Delete', isAhead: false, drain: 'AtOnce' })
  })

  it('of a Machine that core updates in place waits until it is gone', () => {
    const updating = machineWith({ annotations: { [core.inPlaceUpdate]: '' } })
    expect(decision({ machine: updating })).toMatchObject({ act: 'Delete', isAhead: false })
  })

  it('is no replacement ahead where its owner has maxAhead already', () => {
    const limited = { ...terms, maxAhead: 2 }
    const beside = (count: number) => decision({ terms: limited, ahead: { count, isBusy: true } })
    expect(beside(1)).toMatchObject({ act: 'Delete', isAhead: true })
    expect(beside(2)).toMatchObject({ act: 'Delete', isAhead: false, drain: 'AtOnce' })
  })

  it('whose deadline passed more than a minute ago begins nothing', () => {
    expect(decision({ notice: { ...notice, deadline: now - seconds(60) } })).toMatchObject({ act: 'Delete' })
    expect(decision({ notice: { ...notice, deadline: now - seconds(61) } })).toBeUndefined()
  })
})

describe('a notice that was only told, and that its source may take back,', () => {
  const told = { ...terms, onNotice: 'ConditionOnly' } as const
  const before = decision({ terms: told, notice: { ...notice, source: 'Agent' } })

  it('is of the one who takes nothing back, if that one says the same', () => {
    const after = decision({ terms: told, before, notice: { ...notice, source: 'Queue' } })
    expect(after).toEqual({ ...before, source: 'Queue' })
    expect(decision({ terms: told, before: after, notice: { ...notice, source: 'Queue' } })).toBeUndefined()
    expect(decision({ terms: told, before: after, notice: { ...notice, source: 'Agent' } })).toBeUndefined()
  })

  it('stays of its source where another says it that may take it back too, or says something else', () => {
    expect(decision({ terms: told, before, notice: { ...notice, source: 'SpotRequests' } })).toBeUndefined()
    const rebalance = { ...notice, kind: 'Rebalance', source: 'Queue' } as const
    expect(decision({ terms: told, before, notice: rebalance })).toBeUndefined()
  })

  it('but that deletes the Machine is decided', () => {
    const deleted = decision({ notice: { ...notice, source: 'Agent' } })
    expect(decision({ before: deleted, notice: { ...notice, source: 'Queue' } })).toBeUndefined()
  })
})

describe('a second notice', () => {
  const later = { ...notice, deadline: now + seconds(300) }
  const before = decision({ notice: later, terms: { ...terms, drain: 'WhenReplaced' } })

  it('with an earlier deadline brings that forward, and what was decided stays', () => {
    const sooner = decision({ before, now: now + seconds(10) })
    expect(sooner).toEqual({ ...before, deadline: '2026-01-01T12:02:00Z' })
  })

  it('with a deadline that is a little earlier changes nothing: a source could move it every second', () => {
    expect(decision({ before, notice: { ...notice, deadline: now + seconds(271) } })).toBeUndefined()
    expect(decision({ before, notice: { ...notice, deadline: now + seconds(270) } })).toMatchObject({
      deadline: '2026-01-01T12:04:30Z',
    })
  })

  it('with the same or a later deadline changes nothing', () => {
    expect(decision({ before, notice: later })).toBeUndefined()
    expect(decision({ before, notice: { ...notice, deadline: now + seconds(301) } })).toBeUndefined()
  })

  it('with a stronger act is decided anew', () => {
    const told = decision({ notice: { ...notice, kind: 'Rebalance' } })
    expect(told).toMatchObject({ act: 'Tell' })
    expect(decision({ before: told })).toMatchObject({ act: 'Delete', kind: 'Spot' })
  })

  it('with a stronger act and a later deadline, or none, brings the end no further away', () => {
    const told = decision({ notice: { ...notice, kind: 'Rebalance' } })
    const { deadline: _, ...without } = notice
    for (const stronger of [later, without]) {
      expect(decision({ before: told, notice: stronger })).toMatchObject({
        act: 'Delete',
        deadline: '2026-01-01T12:02:00Z',
      })
    }
  })

  it('with a stronger act does not keep a deadline that has passed', () => {
    const told = decision({ notice: { ...notice, kind: 'Rebalance', deadline: now - seconds(1) } })
    const { deadline: _, ...without } = notice
    expect(decision({ before: told, notice: without })).toEqual({ ...decision(), deadline: undefined })
  })

  it('with a weaker act changes nothing, however early its deadline is', () => {
    const rebalance = { ...notice, kind: 'Rebalance', deadline: now } as const
    expect(decision({ before, notice: rebalance })).toBeUndefined()
  })
})

describe('the policy', () => {
  it.each([
    ['Ignore', undefined],
    ['ConditionOnly', 'Tell'],
    ['Cordon', 'Cordon'],
  ] as const)('onRebalance: %s', (asked, act) => {
    const rebalance = { ...notice, kind: 'Rebalance' } as const
    expect(decision({ notice: rebalance, terms: { ...terms, onRebalance: asked } })?.act).toBe(act)
  })

  it.each([
    ['Remediate', 'Remediate'],
    ['ConditionOnly', 'Tell'],
  ] as const)('onNotice: %s acts as it says', (asked, act) => {
    expect(decision({ terms: { ...terms, onNotice: asked } })).toMatchObject({ act, isAhead: false })
  })

  it('replacement: Afterwards waits until the Machine is gone', () => {
    expect(decision({ terms: { ...terms, replacement: 'Afterwards', drain: 'WhenReplaced' } })).toMatchObject({
      act: 'Delete',
      isAhead: false,
      drain: 'AtOnce',
    })
  })
})

it('a rehearsal does what a notice does, and a young instance is no failure', () => {
  const rehearsal = { ...notice, kind: 'Rehearsal' } as const
  expect(decision({ notice: rehearsal, runningSince: now })).toMatchObject({ act: 'Delete', isAhead: true })
})

it.each(noticeKinds.filter((kind) => kind === 'Rebalance' || kind === 'Maintenance'))(
  '%s alone deletes nothing',
  (kind) => {
    expect(decision({ notice: { ...notice, kind } })).toMatchObject({ act: 'Tell' })
  },
)
