import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeAttempt } from '../../api/attempt.ts'
import { rfc3339 } from '../../api/conditions.ts'
import { writeInterruption } from '../../api/interruption.ts'
import { clusterKeyOf, owningMachineKey, type InfraMachine, type Machine, type Pod } from '../../api/machine.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx, type KeptLog } from '../../test/support/fakes/quiet-ctx.ts'
import { TellingCache } from '../../test/support/fakes/telling-cache.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { Queue } from '../runtime/controller/queue.ts'
import { runLastCalls, type LastCallDeps } from './last-call.ts'
import { machineSetKeyOf } from './machine-set-key.ts'
import { PendingNotices } from './pending-notices.ts'
import { ReplacementsAhead } from './planned/replacements-ahead.ts'
import { ShownLists } from './withdrawal/shown-lists.ts'

const namespace = 'default'

let clock: FakeClock
let log: KeptLog
let events: string[]
let machines: TellingCache<Machine>
let infras: TellingCache<InfraMachine>
let isRefused: 'list' | 'delete' | undefined
let asked: number
let deleted: string[]
let stop: AbortController
let running: Promise<void>

beforeEach(() => {
  clock = new FakeClock()
  log = keptLog()
  events = []
  isRefused = 'list'
  asked = 0
  deleted = []
  machines = new TellingCache<Machine>({ cluster: clusterKeyOf, machineSet: machineSetKeyOf })
  infras = new TellingCache<InfraMachine>({ machine: owningMachineKey })
  stop = new AbortController()
  const clusters = new TellingCache<never>()
  clusters.put({ metadata: { namespace, name: 'c1' }, spec: {} } as never)
  const ownWrites = new OwnWrites()
  const deps = {
    client: new FakeApiserver().client(),
    clusters,
    machines,
    machineSets: new TellingCache<never>(),
    machineDeployments: new TellingCache<never>(),
    policies: new TellingCache<never>(),
    infraMachines: new Map([['AWSMachine', infras]]),
    notices: new PendingNotices(),
    shown: new ShownLists(),
    ownWrites,
    ahead: new ReplacementsAhead({ machines, ownWrites }),
    capacity: { shutUntil: () => undefined },
    isBusy: () => false,
    recorder: { event: ({ reason }: { reason: string }) => void events.push(reason) },
    series: { notice: () => {}, announced: () => {}, passed: () => {}, queueAge: () => {} },
    workloads: { with: ((_, use, own) => use(workload, own, {} as never)) as LastCallDeps['workloads']['with'] },
  }
  const ctx = quietCtx({ clock, log, signal: stop.signal })
  const run = { queue: new Queue({ clock }), workers: 4, onPass: () => {} }
  running = runLastCalls(deps, { name: 'Last calls', run }, ctx)
})
afterEach(async () => {
  stop.abort(new Error('enough'))
  await running
})

const held: Pod = { metadata: { namespace, name: 'held', uid: 'held' }, spec: { terminationGracePeriodSeconds: 30 } }
const forbidden = () => Promise.reject(new ApiError({ status: 403, reason: 'Forbidden', message: 'No.' }))
const workload = {
  list: () => {
    asked += 1
    return isRefused === 'list' ? forbidden() : Promise.resolve({ items: [held] })
  },
  delete: (_: unknown, { name }: { name: string }) =>
    isRefused === 'delete' ? forbidden() : Promise.resolve(void deleted.push(name)),
} as unknown as KubeClient

/** It drains, and its instance ends in two minutes. */
function draining(name: string): void {
  const at = rfc3339(clock.now())
  const deadline = rfc3339(clock.now() + 120_000)
  const decided = {
    for: `${namespace}/${name}`,
    instance: `i-${name}`,
    kind: 'Spot',
    source: 'Queue',
    at,
    deadline,
  } as const
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  const attempt = {
    for: `${namespace}/${name}`,
    owner: 'o',
    n: 1,
    token: 't',
    scope,
    startedAt: at,
    handle: `i-${name}`,
  }
  infras.put({
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'AWSMachine',
    metadata: { namespace, name, annotations: writeAttempt(attempt) },
    spec: {},
  })
  const annotations = writeInterruption({ ...decided, act: 'Delete', heldPods: 'Delete' })
  machines.put({
    metadata: { namespace, name, annotations, deletionTimestamp: at },
    spec: { clusterName: 'c1', infrastructureRef: { apiGroup: 'x', kind: 'AWSMachine', name } },
    status: { nodeRef: { name } },
  })
}

it.each(['list', 'delete'] as const)(
  'that we may not %s Pods is said once for a Cluster, and asked again seldom',
  async (right) => {
    isRefused = right
    for (let n = 0; n < 20; n++) draining(`m${n}`)
    await clock.advance(110_000)
    expect(events).toEqual(['PodsNotDeleted'])
    expect(log.lines.filter((line) => line.includes('may not delete Pods'))).toHaveLength(1)
    expect(asked, 'each half minute').toBeLessThanOrEqual(20 * 4)
    expect(asked).toBeGreaterThanOrEqual(20)
  },
)

it('when it is allowed in time, the Pods get their last call', async () => {
  draining('m1')
  await clock.advance(20_000)
  isRefused = undefined
  await clock.advance(60_000)
  expect(deleted).toEqual(['held'])
  expect(events).toEqual(['PodsNotDeleted'])
})
