import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { until, untilOn } from '../../test/support/until.ts'
import { WorkloadNodes } from '../../test/support/worlds/workload-nodes.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { NodeCaches, unusedForMs } from './node-caches.ts'
import { mostNodes } from './node-client.ts'

const cluster = 'default/c1'
const other = 'default/c2'

let management: FakeApiserver
let workload: WorkloadNodes
let clock: FakeClock
let log: ReturnType<typeof keptLog>
let caches: NodeCaches
/** How often a Secret was read. */
let reads: number
let isManagementAway: boolean
let seen: string[]
let stop: AbortController
let running: Promise<void>

beforeEach(async () => {
  management = new FakeApiserver()
  workload = await WorkloadNodes.start()
  clock = new FakeClock()
  log = keptLog()
  reads = 0
  isManagementAway = false
  const client = management.client()
  const get: KubeClient['get'] = (...asked) => {
    reads++
    const away = new ApiError({ status: 503, reason: 'ServiceUnavailable', message: 'away' })
    return isManagementAway ? Promise.reject(away) : client.get(...asked)
  }
  caches = new NodeCaches({ management: { ...client, get }, random: () => 0 })
  seen = []
  caches.onChange(({ cluster: from, key, before, after }) => {
    seen.push(`${from} ${key} ${before ? 'was' : 'new'} ${after ? 'is' : 'gone'}`)
  })
  stop = new AbortController()
  running = caches.run(quietCtx({ clock, log, signal: stop.signal }))
})

afterEach(async () => {
  stop.abort(new Error('enough'))
  await running
  await workload[Symbol.asyncDispose]()
})

const says = (type: string) => ({ spec: { providerID: 'p' }, status: { conditions: [{ type, status: 'True' }] } })
const conditions = (name = 'n1') => caches.get(cluster, name)?.status?.conditions?.map(({ type }) => type)
const works = () => caches.state(cluster)?.works === true

/** The cache of the cluster is complete and its watch is open. */
async function watched(): Promise<void> {
  workload.secretIn(management)
  workload.put({ name: 'n1' })
  caches.use(cluster, 'AWSMachine default/m1')
  await until(works, 'the first watch')
}

describe('while a Cluster has interruptible machines', () => {
  it('its interruptible Nodes are listed and watched, and every change is told', async () => {
    await watched()
    workload.put({ name: 'n1', ...says('Terminating') })
    await until(() => conditions()?.[0] === 'Terminating')
    workload.remove('n1')
    await until(() => caches.get(cluster, 'n1') === undefined)
    expect(seen).toEqual(['default/c1 n1 new is', 'default/c1 n1 was is', 'default/c1 n1 was gone'])
    const selectors = [...workload.asked('list'), ...workload.asked('watch')].map(({ query }) =>
      query.get('labelSelector'),
    )
    expect(new Set(selectors)).toEqual(new Set(['cluster.x-k8s.io/interruptible']))
  })

  it('one watch serves all of them, for some minutes after the last', async () => {
    await watched()
    caches.use(cluster, 'AWSMachine default/m2')
    caches.use(cluster, 'AWSMachine default/m2')
    caches.leave('AWSMachine default/m1')
    await clock.advance(2 * unusedForMs)
    caches.leave('AWSMachine default/m2')
    await clock.advance(unusedForMs - 1)
    expect(caches.get(cluster, 'n1')).toBeDefined()
    caches.use(cluster, 'AWSMachine default/m3')
    await clock.advance(2 * unusedForMs)
    expect(workload.watches).toBe(1)
    caches.leave('AWSMachine default/m3')
    await clock.advance(unusedForMs)
    expect(caches.get(cluster, 'n1')).toBeUndefined()
    expect(caches.state(cluster)).toBeUndefined()
    expect(seen.at(-1)).toBe('default/c1 n1 was gone')
    await until(() => workload.watches === 0)
    await until(() => clock.pending === 0)
  })

  it('the watch ends with the Cluster, at once', async () => {
    await watched()
    caches.forget(cluster)
    expect(caches.state(cluster)).toBeUndefined()
    await until(() => workload.watches === 0)
    caches.use(cluster, 'AWSMachine default/m1')
    await until(works, 'it begins anew with the next machine')
  })

  it('a machine that names another Cluster leaves the first', async () => {
    await watched()
    caches.use(other, 'AWSMachine default/m1')
    await clock.advance(unusedForMs)
    expect(caches.state(cluster)).toBeUndefined()
    expect(caches.state(other)?.works).toBe(false)
  })
})

it('what is used before it runs begins when it runs', async () => {
  const early = new NodeCaches({ management: management.client() })
  workload.secretIn(management)
  workload.put({ name: 'n1' })
  early.use(cluster, 'AWSMachine default/m1')
  early.use(other, 'AWSMachine default/m2')
  early.leave('AWSMachine default/m2')
  expect(early.state(other)).toBeUndefined()
  const over = early.run(quietCtx({ signal: stop.signal }))
  await until(() => early.get(cluster, 'n1') !== undefined)
  stop.abort()
  await over
})

describe('a Secret that is rotated', () => {
  it('with the old token withdrawn: the cache goes on with the new one, and nobody hears of it', async () => {
    await watched()
    workload.stub.token = 'rotated'
    workload.secretIn(management)
    workload.breakWatches()
    workload.put({ name: 'n1', ...says('Terminating') })
    await untilOn(clock, 100, () => conditions()?.[0] === 'Terminating')
    expect(works()).toBe(true)
    expect(log.lines.filter((line) => line.includes('"warn"'))).toEqual([])
  })

  it('and leads to another place, while the old one still serves: within a minute the Nodes are those of the other', async () => {
    await using elsewhere = await WorkloadNodes.start(5)
    elsewhere.put({ name: 'n2' })
    await watched()
    elsewhere.secretIn(management)
    await clock.advance(60_000)
    await until(() => caches.get(cluster, 'n2') !== undefined)
    expect(caches.get(cluster, 'n1')).toBeUndefined()
    expect(seen).toEqual(['default/c1 n1 new is', 'default/c1 n1 was gone', 'default/c1 n2 new is'])
    await until(() => workload.watches === 0)
    elsewhere.put({ name: 'n2', ...says('Terminating') })
    await until(() => conditions('n2')?.[0] === 'Terminating')
  })

  it('the same Secret breaks nothing', async () => {
    await watched()
    await clock.advance(600_000)
    expect(reads).toBe(11)
    expect(workload.asked('watch')).toHaveLength(1)
    expect(workload.asked('list')).toHaveLength(1)
  })

  it('one that cannot be read breaks nothing: the management cluster is away, not the workload cluster', async () => {
    await watched()
    isManagementAway = true
    await clock.advance(120_000)
    workload.breakWatches()
    workload.put({ name: 'n1', ...says('Terminating') })
    await untilOn(clock, 100, () => conditions()?.[0] === 'Terminating')
    expect(works()).toBe(true)
  })

  it('one that is deleted ends the watch, says so, and a new one is found', async () => {
    await watched()
    management.remove('Secret', 'default/c1-kubeconfig')
    await untilOn(clock, 1_000, () => !works())
    expect(caches.state(cluster)?.message).toMatch(/Secret c1-kubeconfig does not exist; create it/)
    await until(() => workload.watches === 0)
    workload.secretIn(management)
    await untilOn(clock, 1_000, works)
  })
})

describe('a workload cluster that does not answer', () => {
  it('is tried again after pauses that grow to half a minute, is logged once, and goes on when it is back', async () => {
    await watched()
    workload.away(true)
    await untilOn(clock, 1_000, () => !works())
    expect(caches.get(cluster, 'n1'), 'what was known stays').toBeDefined()
    expect(caches.state(cluster)?.message).toMatch(/gives no usable answer .* Secret c1-kubeconfig/)
    expect(caches.state(cluster)?.message).not.toContain('127.0.0.1')
    await untilOn(clock, 1_000, () => workload.stub.server.requests.length > 30)
    const asked = workload.stub.server.requests.length
    const from = clock.now()
    await untilOn(clock, 1_000, () => workload.stub.server.requests.length >= asked + 6)
    // A broken connection is tried twice at once.
    expect(clock.now() - from).toBeGreaterThan(2 * 28_000)
    workload.away(false)
    workload.put({ name: 'n1', ...says('Terminating') })
    await untilOn(clock, 1_000, () => works() && conditions()?.[0] === 'Terminating')
    const lines = log.lines.filter((line) => !line.includes('"debug"'))
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'Not watching the Nodes of a workload cluster',
      'Watching the Nodes of a workload cluster again',
    ])
    expect(lines[0]).toContain('"Cluster":"default/c1"')
  })

  it('a connection that breaks once is no outage', async () => {
    await watched()
    workload.breakWatches()
    await untilOn(clock, 100, () => workload.watches === 1)
    expect(works()).toBe(true)
    expect(log.lines.filter((line) => !line.includes('"debug"'))).toEqual([])
  })

  it('stops no other Cluster', async () => {
    await using dead = await WorkloadNodes.start()
    dead.away(true)
    dead.secretIn(management, 'c2')
    for (let n = 0; n < 50; n++) caches.use(other, `AWSMachine default/d${n}`)
    await watched()
    for (let n = 0; n < 20; n++) {
      await clock.advance(10_000)
      workload.put({ name: `late-${n}` })
      await until(() => caches.get(cluster, `late-${n}`) !== undefined)
    }
    expect(caches.state(other)?.works).toBe(false)
  })

  it('is logged at most once in ten minutes, however often it comes and goes', async () => {
    await watched()
    for (let n = 0; n < 5; n++) {
      workload.away(true)
      await untilOn(clock, 1_000, () => !works())
      workload.away(false)
      await untilOn(clock, 1_000, works)
    }
    expect(log.lines.filter((line) => line.includes('"warn"'))).toHaveLength(1)
  })
})

it('without the right to list Nodes it says so, and works once the right is there', async () => {
  workload.isDenied = true
  workload.secretIn(management)
  caches.use(cluster, 'AWSMachine default/m1')
  await untilOn(clock, 1_000, () => /may not/.test(caches.state(cluster)?.message ?? ''))
  expect(caches.state(cluster)).toEqual({
    works: false,
    message:
      'The user of the kubeconfig in Secret c1-kubeconfig may not list and watch nodes. Grant it in the workload cluster; docs/workload-access.md has a manifest.',
  })
  workload.isDenied = false
  await untilOn(clock, 1_000, works)
})

it.each([
  [
    'refused credentials',
    (given: WorkloadNodes) => void (given.stub.token = 'other'),
    /rejects the credentials .* Secret c1-kubeconfig/,
  ],
  ['no Secret', () => management.remove('Secret', 'default/c1-kubeconfig'), /Secret c1-kubeconfig does not exist/],
])('%s: it says what to do', async (_, spoil, message) => {
  workload.secretIn(management)
  spoil(workload)
  caches.use(cluster, 'AWSMachine default/m1')
  await untilOn(clock, 1_000, () => message.test(caches.state(cluster)?.message ?? ''))
  expect(works()).toBe(false)
})

it('a kubeconfig with a fault: it says which, and works when that is mended', async () => {
  const metadata = { namespace: 'default', name: 'c1-kubeconfig', uid: 'secret' }
  management.put('Secret', { metadata, data: workload.stub.kubeconfig({ exec: { command: 'touch' } }) } as never)
  caches.use(cluster, 'AWSMachine default/m1')
  await untilOn(clock, 1_000, () => /`exec`/.test(caches.state(cluster)?.message ?? ''))
  expect(caches.state(cluster)?.message).toMatch(/^Secret c1-kubeconfig: The kubeconfig has `exec`/)
  workload.secretIn(management)
  await untilOn(clock, 1_000, works)
})

describe('a workload cluster that sends too much', () => {
  it('more Nodes than a cluster has: it is off, says so, and keeps none of them', async () => {
    for (let n = 0; n <= mostNodes; n++)
      workload.nodes.set(`n${n}`, { metadata: { name: `n${n}`, resourceVersion: '1' } })
    workload.secretIn(management)
    caches.use(cluster, 'AWSMachine default/m1')
    await until(() => (caches.state(cluster)?.message ?? '').includes('more than 5000'))
    expect(seen).toEqual([])
    workload.nodes.delete('n0')
    await untilOn(clock, 1_000, works)
    workload.put({ name: 'one too many' })
    await untilOn(clock, 1_000, () => !works())
    expect(caches.get(cluster, 'one too many')).toBeUndefined()
  })

  it('a name that no Node has', async () => {
    await watched()
    workload.put({ name: 'x'.repeat(254) })
    await untilOn(clock, 1_000, () => !works())
    expect(seen).toEqual(['default/c1 n1 new is'])
  })
})

it('all end with the signal, and leave no timer and no connection', async () => {
  await watched()
  caches.use(other, 'AWSMachine default/m2')
  await clock.advance(0)
  stop.abort(new Error('SIGTERM'))
  await running
  await until(() => workload.watches === 0)
  expect(clock.pending).toBe(0)
})
