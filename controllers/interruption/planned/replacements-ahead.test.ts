import { beforeEach, expect, it } from 'vitest'
import { writeInterruption, type Interruption } from '../../../api/interruption.ts'
import { core } from '../../../api/labels.ts'
import type { Machine } from '../../../api/machine.ts'
import { TellingCache } from '../../../test/support/fakes/telling-cache.ts'
import { OwnWrites } from '../../runtime/cache/own-writes.ts'
import { aheadKeyOf } from './owner-keys.ts'
import { ReplacementsAhead } from './replacements-ahead.ts'

let machines: TellingCache<Machine>
let ownWrites: OwnWrites
let ahead: ReplacementsAhead

beforeEach(() => {
  machines = new TellingCache<Machine>({ ahead: aheadKeyOf })
  ownWrites = new OwnWrites()
  ahead = new ReplacementsAhead({ machines, ownWrites })
})

function machine(name: string, version: number, decided: Partial<Interruption> = {}, deployment = 'md'): Machine {
  const common = { for: `default/${name}`, instance: name, source: 'Node', at: '2026-01-01T00:00:00Z' } as const
  const annotations = decided.act ? writeInterruption({ ...common, kind: 'Rebalance', ...decided } as Interruption) : {}
  const labels = { [core.deploymentName]: deployment }
  const metadata = { namespace: 'default', name, uid: name, resourceVersion: String(version), labels, annotations }
  return { metadata, spec: { clusterName: 'c1' } }
}
const begun = { act: 'Delete', isAhead: true } as const
const nobody = { count: 0, isBusy: false }

it('counts what the cache shows of the same owner, and not the Machine itself', () => {
  machines.put(machine('m1', 1, begun))
  machines.put(machine('m2', 1, { ...begun, kind: 'Spot' }))
  machines.put(machine('m3', 1, { act: 'Tell', isWaiting: true }))
  machines.put(machine('m4', 1, begun, 'another'))
  expect(ahead.beside(machine('m3', 1), 0)).toEqual({ count: 2, isBusy: true })
  expect(ahead.beside(machine('m1', 1), 0)).toEqual({ count: 1, isBusy: false })
  expect(ahead.beside(machine('m9', 1, {}, 'nobody'), 0)).toEqual(nobody)
})

it('of two that are decided at the same time, the second sees the first before any cache does', () => {
  machines.put(machine('m1', 1))
  ahead.begin(machine('m1', 1), true, 0)
  expect(ahead.beside(machine('m2', 1), 0)).toEqual({ count: 1, isBusy: true })
  ownWrites.note(machine('m1', 2, begun), 0)
  ahead.confirm(machine('m1', 2, begun))
  expect(ahead.beside(machine('m2', 1), 10_000)).toEqual({ count: 1, isBusy: true })
})

it('from when the cache shows it the cache counts', () => {
  machines.put(machine('m1', 1))
  ahead.begin(machine('m1', 1), true, 0)
  ownWrites.note(machine('m1', 2, begun), 0)
  ahead.confirm(machine('m1', 2, begun))
  machines.put(machine('m1', 2, begun))
  expect(ahead.beside(machine('m2', 1), 0)).toEqual({ count: 1, isBusy: true })
  machines.put(machine('m1', 3))
  expect(ahead.beside(machine('m2', 1), 0)).toEqual(nobody)
})

it('a write that was refused is none, and one without an answer counts for a minute', () => {
  machines.put(machine('m1', 1))
  ahead.begin(machine('m1', 1), true, 0)
  ahead.refused(machine('m1', 1))
  expect(ahead.beside(machine('m2', 1), 0)).toEqual(nobody)
  ahead.begin(machine('m1', 1), true, 0)
  expect(ahead.beside(machine('m2', 1), 59_999)).toEqual({ count: 1, isBusy: true })
  expect(ahead.beside(machine('m2', 1), 60_000)).toEqual(nobody)
})

it('a Machine that is gone gives its turn back', () => {
  machines.put(machine('m1', 1))
  ahead.begin(machine('m1', 1), true, 0)
  machines.remove('default/m1')
  expect(ahead.beside(machine('m2', 1), 0)).toEqual(nobody)
})
