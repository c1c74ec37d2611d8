import { afterEach, beforeEach, expect, it } from 'vitest'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { writeInterruption, type Interruption } from '../../api/interruption.ts'
import { core } from '../../api/labels.ts'
import { clusterKeyOf, type Machine, type MachineDeployment, type MachineSet } from '../../api/machine.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { TellingCache } from '../../test/support/fakes/telling-cache.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import { Queue } from '../runtime/controller/queue.ts'
import { runInterruptions } from './controller.ts'
import { machineDeploymentKeyOf, machineSetKeyOf } from './machine-set-key.ts'
import { waitingKeyOf } from './planned/owner-keys.ts'
import { PendingNotices } from './pending-notices.ts'
import { ReplacementsAhead } from './planned/replacements-ahead.ts'
import { ShownLists } from './withdrawal/shown-lists.ts'

const namespace = 'default'

let clock: FakeClock
let machines: TellingCache<Machine>
let machineSets: TellingCache<MachineSet>
let machineDeployments: TellingCache<MachineDeployment>
let policies: TellingCache<InterruptionPolicy>
let passes: number
let stop: AbortController
let running: Promise<void>

beforeEach(async () => {
  clock = new FakeClock()
  machines = new TellingCache<Machine>({ cluster: clusterKeyOf, machineSet: machineSetKeyOf, waiting: waitingKeyOf })
  machineSets = new TellingCache<MachineSet>({ deployment: machineDeploymentKeyOf })
  machineDeployments = new TellingCache()
  policies = new TellingCache()
  passes = 0
  stop = new AbortController()
  const ownWrites = new OwnWrites()
  const deps = {
    client: new FakeApiserver().client(),
    clusters: new TellingCache<never>(),
    machines,
    machineSets,
    machineDeployments,
    policies,
    infraMachines: new Map(),
    notices: new PendingNotices(),
    shown: new ShownLists(),
    ownWrites,
    ahead: new ReplacementsAhead({ machines, ownWrites }),
    capacity: { shutUntil: () => undefined },
    isBusy: () => false,
    recorder: { event: () => {} },
    series: { notice: () => {}, announced: () => {}, passed: () => {}, queueAge: () => {} },
  }
  const run = { queue: new Queue({ clock }), workers: 1, onPass: () => void (passes += 1) }
  running = runInterruptions(deps, run, quietCtx({ clock, signal: stop.signal }))
  deployment('1')
  set('1', { replicas: 3 })
  interrupted('m1')
  interrupted('m2')
  await clock.advance(0)
  passes = 0
})
afterEach(async () => {
  stop.abort(new Error('enough'))
  await running
})

let version = 0
const metadataOf = (name: string) => ({ namespace, name, resourceVersion: String(++version) })

function deployment(revision: string): void {
  const annotations = { [core.revision]: revision }
  machineDeployments.put({ metadata: { ...metadataOf('md'), annotations } })
}

function set(revision: string, spec: MachineSet['spec']): void {
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDeployment', name: 'md', uid: 'md' }
  const annotations = { [core.revision]: revision }
  machineSets.put({ metadata: { ...metadataOf('set'), annotations, ownerReferences: [owner] }, spec })
}

/** It was deleted, and is not under the control of its MachineSet any more. */
function interrupted(name: string): void {
  const decided = {
    for: `${namespace}/${name}`,
    instance: name,
    kind: 'Spot',
    source: 'SpotRequests',
    at: '2026-01-01T00:00:00Z',
    act: 'Delete',
    machineSet: 'set',
  } as const
  const annotations = writeInterruption(decided)
  const deletionTimestamp = '2026-01-01T00:00:01Z'
  machines.put({ metadata: { ...metadataOf(name), annotations, deletionTimestamp }, spec: { clusterName: 'c1' } })
}

const passesAfter = async (change: () => void): Promise<number> => {
  change()
  await clock.advance(0)
  return passes
}

it('a MachineSet that only reports its status wakes none of its Machines', async () => {
  expect(await passesAfter(() => set('1', { replicas: 3 }))).toBe(0)
})

it('a MachineDeployment that only reports its status wakes none', async () => {
  expect(await passesAfter(() => deployment('1'))).toBe(0)
})

it('a MachineSet with other replicas or another revision, or that is gone, wakes all that are interrupted', async () => {
  expect(await passesAfter(() => set('1', { replicas: 2 }))).toBe(2)
  expect(await passesAfter(() => set('2', { replicas: 2 }))).toBe(4)
  expect(await passesAfter(() => machineSets.remove(`${namespace}/set`))).toBe(6)
})

it('a new revision of the MachineDeployment wakes all that are interrupted', async () => {
  expect(await passesAfter(() => deployment('2'))).toBe(2)
})

it('the one that waits for its turn is woken by the end of the one that had it, and by a policy that changes', async () => {
  const common = { instance: 'i', source: 'Node', kind: 'Rebalance', at: '2026-01-01T00:00:00Z' } as const
  const begun = { ...common, for: `${namespace}/p1`, act: 'Delete', isAhead: true, machineSet: 'set' } as const
  const waits = { ...common, for: `${namespace}/p2`, act: 'Tell', isWaiting: true, machineSet: 'set' } as const
  const put = (name: string, decided: Interruption) => {
    const labels = { [core.clusterName]: 'c1' }
    machines.put({
      metadata: { ...metadataOf(name), labels, annotations: writeInterruption(decided) },
      spec: { clusterName: 'c1' },
    })
  }
  put('p2', waits)
  put('p1', begun)
  await clock.advance(0)
  passes = 0
  expect(await passesAfter(() => machines.remove(`${namespace}/p1`))).toBe(2)
  expect(await passesAfter(() => policies.put(policyOf({ onRebalance: 'Replace' })))).toBe(3)
  expect(await passesAfter(() => policies.put(policyOf({ onRebalance: 'Replace' })))).toBe(3)
})

function policyOf(spec: object): InterruptionPolicy {
  return { metadata: metadataOf('p'), spec: { clusterName: 'c1', ...spec } } as InterruptionPolicy
}
