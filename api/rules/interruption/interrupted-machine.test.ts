import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decided as interruption } from '../../../test/support/decided.ts'
import { writeInterruption, type Interruption } from '../../interruption.ts'
import { core } from '../../labels.ts'
import type { Cluster, Machine } from '../../machine.ts'
import type { OwnerReference } from '../../meta.ts'
import { interruptedMachine, nodeNoticeOf, type InterruptedFacts, type MachineWrite } from './interrupted-machine.ts'

const at = Date.UTC(2026, 0, 1, 12)
const seconds = (s: number) => s * 1000
const waiting: Interruption = { ...interruption, drain: 'WhenReplaced' }
const cluster: Cluster = { metadata: { namespace: 'default', name: 'c1', uid: 'cluster' }, spec: {} }
const bySet: OwnerReference = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineSet',
  name: 'set',
  uid: 'set',
  controller: true,
}
const byCluster = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  name: 'c1',
  uid: 'cluster',
  controller: true,
}
const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'theirs', uid: 'theirs' }

interface State {
  readonly isDeleting?: boolean
  readonly isHooked?: boolean
  readonly owners?: readonly OwnerReference[]
}

function machine({ isDeleting = false, isHooked = false, owners = [bySet] }: State): Machine {
  return {
    metadata: {
      namespace: 'default',
      name: 'm1',
      ownerReferences: [...owners],
      ...(isDeleting ? { deletionTimestamp: '2026-01-01T12:00:01Z' } : {}),
      ...(isHooked ? { annotations: { [core.preDrainHook]: 'x' } } : {}),
    },
    spec: { clusterName: 'c1' },
  }
}

function next(state: State, over: Partial<InterruptedFacts> = {}) {
  return interruptedMachine({
    machine: machine(state),
    interruption,
    cluster,
    hasEnded: false,
    machineSet: { revision: '3' },
    isSetGone: false,
    isReplaced: false,
    isWithdrawn: false,
    now: at,
    ...over,
  })
}

function unhookOf(write: MachineWrite | undefined): string | undefined {
  return write?.do === 'patch' ? write.unhook : undefined
}

describe('a Machine that is to be deleted', () => {
  it('is deleted first: no living Machine is without a MachineSet that counts it', () => {
    expect(next({})).toEqual({ write: { do: 'delete' } })
  })

  it('is controlled by its Cluster next, and its MachineSet makes another', () => {
    expect(next({ isDeleting: true }).write).toEqual({ do: 'patch', ownerReferences: [byCluster] })
  })

  it('keeps the owner references of others, and names its Cluster once', () => {
    const { controller: _, ...plain } = byCluster
    expect(next({ isDeleting: true, owners: [plain, other, bySet] }).write).toEqual({
      do: 'patch',
      ownerReferences: [other, byCluster],
    })
  })

  it('is left alone after that', () => {
    expect(next({ isDeleting: true, owners: [byCluster] })).toEqual({ write: undefined })
  })

  it('whose instance has ended is left to the remediation, which knows that nothing can be drained', () => {
    expect(next({}, { hasEnded: true }).write).toBeUndefined()
  })

  it('whose instance has ended is deleted if no MachineSet controls it any more', () => {
    expect(next({ owners: [byCluster] }, { hasEnded: true }).write).toEqual({ do: 'delete' })
  })

  it('is deleted again when a move has made it living again', () => {
    expect(next({ owners: [byCluster], isHooked: true })).toEqual({ write: { do: 'delete' } })
  })

  it('stays with its MachineSet if the replacement comes afterwards', () => {
    expect(next({ isDeleting: true }, { interruption: { ...interruption, isAhead: false } }).write).toBeUndefined()
  })

  it('stays with a MachineSet that is being deleted and waits for it', () => {
    const facts = { interruption: { ...interruption, isAhead: false }, machineSet: undefined, isSetGone: false }
    expect(next({ isDeleting: true }, facts).write).toBeUndefined()
  })

  it('leaves a MachineSet that is gone, because core could not delete it', () => {
    const left = next({ isDeleting: true }, { interruption: undefined, machineSet: undefined, isSetGone: true })
    expect(left.write).toEqual({ do: 'patch', ownerReferences: [byCluster] })
  })
})

describe('a Machine with the hook', () => {
  const hooked = { isDeleting: true, isHooked: true, owners: [byCluster] }

  it('waits for its replacement, and looks again when half of the notice is over', () => {
    expect(next(hooked, { interruption: waiting })).toEqual({ write: undefined, lookAgainAt: at + seconds(60) })
  })

  it('of a short notice waits for half of it', () => {
    const short = { ...waiting, deadline: '2026-01-01T12:00:30Z' }
    expect(next(hooked, { interruption: short }).lookAgainAt).toBe(at + seconds(15))
  })

  const lets: Record<string, Partial<InterruptedFacts>> = {
    'the replacement is available': { isReplaced: true },
    'its instance has ended': { hasEnded: true },
    'its Cluster is gone': { cluster: undefined },
    'its Cluster is being deleted': {
      cluster: { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: '2026-01-01T12:00:02Z' } },
    },
    'its MachineSet is gone': { machineSet: undefined },
    'its MachineDeployment has a newer template': { machineSet: { revision: '4' } },
    'the drain has to begin': { now: at + seconds(60) },
    'the decision is garbage': { interruption: undefined },
    'the decision waits for nothing': { interruption },
  }
  it.each(Object.entries(lets))('drains when %s', (_, over) => {
    const { write } = next(hooked, { interruption: waiting, ...over })
    expect(unhookOf(write)).toMatch(/\.$/)
  })

  it('without a notice loses it also while it lives', () => {
    expect(next({ isHooked: true }, { interruption: undefined }).write).toMatchObject({ do: 'patch' })
  })
})

describe('a Machine that is only told of', () => {
  const told = { ...interruption, act: 'Cordon' } as const
  const tenMinutesAfter = at + seconds(120 + 600)

  it('is looked at again ten minutes after the deadline', () => {
    expect(next({}, { interruption: told })).toEqual({ write: undefined, lookAgainAt: tenMinutesAfter })
  })

  it('loses the decision then, because the instance was not taken', () => {
    expect(next({}, { interruption: told, now: tenMinutesAfter }).write).toEqual({ do: 'patch', forget: true })
  })

  it('keeps it if the instance was taken', () => {
    expect(next({}, { interruption: told, now: tenMinutesAfter, hasEnded: true }).write).toBeUndefined()
  })

  it('keeps it for a minute, so that a Node that says so and takes it back again leads to few writes', () => {
    expect(next({}, { interruption: told, isWithdrawn: true, now: at + seconds(59) })).toEqual({
      write: undefined,
      lookAgainAt: at + seconds(60),
    })
  })

  it('loses it when the source takes the notice back', () => {
    const isWithdrawn = true
    expect(next({}, { interruption: told, isWithdrawn, now: at + seconds(60) }).write).toEqual({
      do: 'patch',
      forget: true,
    })
  })
})

describe('the Node', () => {
  const noticed = (state: State, decided: Interruption | undefined) => {
    const { metadata, ...rest } = machine(state)
    const written = decided ? writeInterruption(decided) : {}
    return nodeNoticeOf(
      { ...rest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...written } } },
      'i-1',
    )
  }

  it('of a noticed Machine takes no further Pods, and leaves the load balancers when its drain begins', () => {
    expect(noticed({}, waiting)).toEqual({ isInterrupted: true, isDraining: false })
    expect(noticed({ isDeleting: true, isHooked: true }, waiting)).toEqual({ isInterrupted: true, isDraining: false })
    expect(noticed({ isDeleting: true }, waiting)).toEqual({ isInterrupted: true, isDraining: true })
  })

  it('of a Machine that is not deleted takes no further Pods either', () => {
    const cordoned = { ...interruption, act: 'Cordon', because: 'Nobody would replace it.' } as const
    expect(noticed({}, cordoned)).toEqual({ isInterrupted: true, isDraining: false })
  })

  it('serves on where the policy wants a condition only, or without a notice', () => {
    for (const decided of [undefined, { ...interruption, act: 'Tell', because: 'It is a control plane.' } as const]) {
      expect(noticed({}, decided)).toEqual({ isInterrupted: false, isDraining: false })
    }
  })
})

describe('whatever happens', () => {
  const facts = fc.record({
    state: fc.record({
      isDeleting: fc.boolean(),
      isHooked: fc.boolean(),
      owners: fc.subarray([bySet, byCluster, other], { maxLength: 2 }),
    }),
    over: fc.record(
      {
        interruption: fc.constantFrom(undefined, interruption, waiting, { ...interruption, act: 'Tell' as const }),
        cluster: fc.constantFrom(undefined, cluster),
        hasEnded: fc.boolean(),
        machineSet: fc.constantFrom(undefined, { revision: '3' }, { revision: '4' }),
        isReplaced: fc.boolean(),
        isWithdrawn: fc.boolean(),
        now: fc.integer({ min: at, max: at + seconds(600) }),
      },
      { requiredKeys: [] },
    ),
  })

  it('a Machine is deleted only for a decision that says so', () => {
    fc.assert(
      fc.property(facts, ({ state, over }) => {
        const all = { interruption, ...over }
        const isDeleted = next(state, all).write?.do === 'delete'
        expect(isDeleted && all.interruption?.act !== 'Delete').toBe(false)
      }),
    )
  })

  it('after the deadline no hook stays', () => {
    fc.assert(
      fc.property(facts, ({ state, over }) => {
        const { write } = next({ ...state, isDeleting: true, isHooked: true }, { ...over, now: at + seconds(120) })
        expect(unhookOf(write)).toBeDefined()
      }),
    )
  })

  it('no living Machine leaves its MachineSet', () => {
    fc.assert(
      fc.property(facts, ({ state, over }) => {
        const { write } = next({ ...state, isDeleting: false }, over)
        expect(write?.do === 'patch' ? write.ownerReferences : undefined).toBeUndefined()
      }),
    )
  })

  it('an object has one controller', () => {
    fc.assert(
      fc.property(facts, ({ state, over }) => {
        const { write } = next(state, over)
        const owners = write?.do === 'patch' ? (write.ownerReferences ?? []) : []
        expect(owners.filter(({ controller }) => controller === true).length).toBeLessThanOrEqual(1)
      }),
    )
  })
})
