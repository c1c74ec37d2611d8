import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import type { Machine } from '../../api/machine.ts'
import { eventually } from '../lab/eventually.ts'
import { AheadRig } from './rigs/ahead-rig.ts'
import { isAtHook, isAvailable, nameOf, watchMachines } from './rigs/machine-watch.ts'

const size = 20
const room = 5
const patience = { timeoutMs: 120_000 }

let rig: AheadRig
beforeAll(async () => {
  rig = await AheadRig.start(inject('cluster'))
})
afterEach(() => rig.end())
afterAll(() => rig[Symbol.asyncDispose]())

test('a storm of 20, while every Machine is written to and drain timeouts change: each gets exactly one replacement, and all serve', async () => {
  const old = await rig.workers(size, { drain: 'WhenReplaced' })
  await using seen = await watchMachines(rig)
  await using noise = makeNoise()
  const before = rig.bought()
  await Promise.all(old.map((machine) => rig.annotate(machine, { 'example.com/noise': nameOf(machine) })))
  await Promise.all(old.map((machine) => rig.rehearse(machine)))
  await eventually('all have gone', () => expect(namesIn(seen.machines.list(), old)).toEqual([]), patience)
  await rig.available(size)
  expect(noise.writes()).toBeGreaterThan(size)
  expect([...seen.made], 'replacements').toHaveLength(size)
  expect(rig.bought() - before).toBe(size)
  expect([...seen.back], 'under a MachineSet again').toEqual([])
  expect(seen.least(), 'Machines that served at any time').toBeGreaterThanOrEqual(size)
})

test('20 are announced and the cloud has room for few: 20 of 20 serve, and the others wait until it has more', async () => {
  // Probes come often, so that the test need not wait for capacity that is back.
  const backoff = { initialSeconds: 2, maxSeconds: 2 }
  const old = await rig.workers(size, { drain: 'WhenReplaced', backoff })
  await using seen = await watchMachines(rig)
  const { control } = rig.cloud('aws')
  const before = rig.bought()
  await Promise.all(old.map((machine) => rig.rehearse(machine)))
  await eventually('some are bought', () => expect(rig.bought() - before).toBeGreaterThanOrEqual(room), { everyMs: 5 })
  control.noCapacity()
  await eventually(
    'each replacement has let one go',
    () => {
      const all = seen.machines.list()
      expect(all.filter(isAtHook)).toHaveLength(size - (rig.bought() - before))
      expect(all.filter(isAvailable)).toHaveLength(rig.bought() - before)
    },
    patience,
  )
  const replaced = rig.bought() - before
  expect(replaced).toBeLessThan(size)
  await rig.polls(3)
  expect(seen.machines.list().filter(isAtHook)).toHaveLength(size - replaced)
  control.capacityBack()
  await eventually('all have gone', () => expect(namesIn(seen.machines.list(), old)).toEqual([]), patience)
  await rig.available(size)
  expect(rig.bought() - before).toBe(size)
  expect(seen.least(), 'Machines that served at any time').toBeGreaterThanOrEqual(size)
})

function namesIn(all: readonly Machine[], these: readonly Machine[]): string[] {
  const uids = new Set(these.map(({ metadata }) => metadata.uid))
  return all.filter(({ metadata }) => uids.has(metadata.uid)).map(nameOf)
}

/** Changes the drain timeout of all Machines again and again, which makes core apply each of them anew. */
function makeNoise(): AsyncDisposable & { writes(): number } {
  let writes = 0
  const ending = new AbortController()
  const run = async () => {
    for (; !ending.signal.aborted; writes++) {
      const deletion = { nodeDrainTimeoutSeconds: 200 + (writes % 50) }
      await rig.patchDeployment({ spec: { template: { spec: { deletion } } } })
      // The pace of the noise; nothing is waited for.
      await sleep(60)
    }
  }
  const running = run()
  return {
    writes: () => writes,
    async [Symbol.asyncDispose]() {
      ending.abort()
      await running
    },
  }
}
