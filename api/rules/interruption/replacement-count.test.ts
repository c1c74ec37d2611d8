import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rfc3339 } from '../../conditions.ts'
import { writeInterruption } from '../../interruption.ts'
import { core } from '../../labels.ts'
import type { Machine } from '../../machine.ts'
import { stillWaiting } from './replacement-count.ts'

const now = Date.UTC(2026, 0, 1, 12)
const minutes = (m: number) => m * 60_000

interface Shape {
  readonly isAvailable?: boolean
  readonly isDeleting?: boolean
  readonly ageMs?: number
  readonly isOfSet?: boolean
}

function machine(
  name: string,
  { isAvailable = false, isDeleting = false, ageMs = 0, isOfSet = true }: Shape = {},
): Machine {
  const apiVersion = 'cluster.x-k8s.io/v1beta2'
  const owner = { apiVersion, kind: isOfSet ? 'MachineSet' : 'Cluster', name: 'set', uid: 'u', controller: true }
  const status = isAvailable ? 'True' : 'False'
  return {
    metadata: {
      namespace: 'default',
      name,
      creationTimestamp: rfc3339(now - ageMs),
      ownerReferences: [owner],
      ...(isDeleting ? { deletionTimestamp: rfc3339(now) } : {}),
    },
    spec: { clusterName: 'c1' },
    status: { conditions: [{ type: 'Available', status, reason: 'R', message: '', lastTransitionTime: rfc3339(now) }] },
  }
}

/** A Machine that was detached and has our hook. */
function hooked(name: string, deadlineMs?: number): Machine {
  const { metadata, ...rest } = machine(name, { isDeleting: true, isOfSet: false, isAvailable: true })
  const decided = writeInterruption({
    for: `default/${name}`,
    instance: name,
    kind: 'Spot',
    source: 'Queue',
    at: rfc3339(now),
    deadline: deadlineMs === undefined ? undefined : rfc3339(now + deadlineMs),
    act: 'Delete',
  })
  return { ...rest, metadata: { ...metadata, annotations: { [core.preDrainHook]: '', ...decided } } }
}

const waiting = (replicas: number, machines: readonly Machine[]) => [
  ...stillWaiting({ name: 'set', replicas, machines, patienceMs: minutes(30), now }),
]
const serving = { isAvailable: true }

it('as many wait as the MachineSet lacks', () => {
  const old = [hooked('a'), hooked('b')]
  expect(waiting(3, [machine('x', serving), ...old])).toHaveLength(2)
  expect(waiting(3, [machine('x', serving), machine('y', serving), ...old])).toHaveLength(1)
  expect(waiting(3, [machine('x', serving), machine('y', serving), machine('z', serving), ...old])).toHaveLength(0)
})

it('a Machine that is not available, or is being deleted, or is not of the set, serves nobody', () => {
  const none = [machine('x'), machine('y', { isAvailable: true, isDeleting: true })]
  expect(waiting(1, [...none, machine('z', { isAvailable: true, isOfSet: false }), hooked('a')])).toEqual(['a'])
})

it('after a scale-down nobody waits', () => {
  expect(waiting(0, [hooked('a')])).toEqual([])
})

it('a Machine that has not become available for long is not waited for: no hook stays for ever', () => {
  expect(waiting(1, [machine('x', { ageMs: minutes(30) }), hooked('a')])).toEqual(['a'])
  expect(waiting(1, [machine('x', { ageMs: minutes(31) }), hooked('a')])).toEqual([])
})

it('those with the latest deadline wait, and without one a Machine waits longest', () => {
  const all = [hooked('a', minutes(2)), hooked('b', minutes(3)), hooked('c')]
  expect(waiting(1, all)).toEqual(['c'])
  expect(waiting(2, all)).toEqual(['c', 'b'])
})

it('the same Machines wait in whatever order a cache lists them', () => {
  const inAnyOrder = fc.array(fc.constantFrom(undefined, 1, 2), { minLength: 2, maxLength: 6 }).chain((deadlines) => {
    const all = deadlines.map((deadline, index) => hooked(`m${index}`, deadline && minutes(deadline)))
    return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))
  })
  fc.assert(
    fc.property(inAnyOrder, fc.nat(6), ([all, shuffled], replicas) => {
      expect(waiting(replicas, shuffled)).toEqual(waiting(replicas, all))
    }),
  )
})
