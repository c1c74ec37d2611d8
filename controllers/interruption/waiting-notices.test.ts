import { afterEach, beforeEach, expect, it } from 'vitest'
import { core } from '../../api/labels.ts'
import { clusterKeyOf, type Machine } from '../../api/machine.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { TellingCache } from '../../test/support/fakes/telling-cache.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import { Queue } from '../runtime/controller/queue.ts'
import { runInterruptions } from './controller.ts'
import { machineSetKeyOf } from './machine-set-key.ts'
import { PendingNotices } from './pending-notices.ts'
import { ReplacementsAhead } from './planned/replacements-ahead.ts'
import { ShownLists } from './withdrawal/shown-lists.ts'

let clock: FakeClock
let machines: TellingCache<Machine>
let notices: PendingNotices
let ownWrites: OwnWrites
let queue: Queue
let stop: AbortController
let running: Promise<void>

beforeEach(() => {
  clock = new FakeClock()
  machines = new TellingCache<Machine>({ cluster: clusterKeyOf, machineSet: machineSetKeyOf })
  notices = new PendingNotices()
  ownWrites = new OwnWrites()
  queue = new Queue({ clock })
  stop = new AbortController()
  const deps = {
    client: new FakeApiserver().client(),
    clusters: new TellingCache<never>(),
    machines,
    machineSets: new TellingCache<never>(),
    machineDeployments: new TellingCache<never>(),
    policies: new TellingCache<never>(),
    infraMachines: new Map(),
    notices,
    shown: new ShownLists(),
    ownWrites,
    ahead: new ReplacementsAhead({ machines, ownWrites }),
    capacity: { shutUntil: () => undefined },
    isBusy: () => false,
    recorder: { event: () => {} },
    series: { notice: () => {}, announced: () => {}, passed: () => {}, queueAge: () => {} },
  }
  const run = { queue, workers: 1, onPass: () => {} }
  running = runInterruptions(deps, run, quietCtx({ clock, signal: stop.signal }))
})
afterEach(async () => {
  stop.abort(new Error('enough'))
  await running
})

function machine(resourceVersion: string, annotations: Record<string, string> = {}): Machine {
  return {
    metadata: { namespace: 'default', name: 'm1', uid: 'u', resourceVersion, annotations },
    spec: { clusterName: 'c1' },
  }
}

function notice(): void {
  const at = clock.now()
  void notices.give('default/m1', { instance: 'i-1', kind: 'Spot', source: 'Node', at, deadline: at + 120_000 })
  queue.add('default/m1')
}

it('a notice of a paused Machine is decided when the pause ends, though nobody gives it again', async () => {
  machines.put(machine('1', { [core.paused]: '' }))
  notice()
  await clock.advance(0)
  expect(notices.has('default/m1')).toBe(true)
  machines.put(machine('2'))
  await clock.advance(0)
  expect(notices.has('default/m1')).toBe(false)
})

it('a notice that comes before the cache has our last write is decided with that write', async () => {
  machines.put(machine('1'))
  ownWrites.note(machine('2'), clock.monotonic())
  notice()
  await clock.advance(0)
  expect(notices.has('default/m1')).toBe(true)
  machines.put(machine('2'))
  await clock.advance(0)
  expect(notices.has('default/m1')).toBe(false)
})

it.each<[string, () => void]>([
  ['a notice that waits', notice],
  ['a notice that was taken back', () => notices.withdraw('default/m1')],
])('%s is forgotten with its Machine', async (_, begin) => {
  machines.put(machine('1', { [core.paused]: '' }))
  begin()
  await clock.advance(0)
  machines.remove('default/m1')
  await clock.advance(0)
  expect(notices.has('default/m1')).toBe(false)
})
