import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { NodeEvent } from '../shared/nodes.ts'
import type { WorkloadClients } from '../workload/clients.ts'
import type { ClusterRef } from '../workload/secret.ts'
import { WorkloadBusy } from '../workload/turns.ts'
import { NodeEvents } from './node-events.ts'

const event: NodeEvent = {
  cluster: { namespace: 'default', name: 'c1' },
  node: 'node-1',
  providerID: 'gce://p/z/m1',
  reason: 'SpotPreemption',
  message: 'Instance m1 is stopping: preempted.',
}

/** A workload cluster with one Node, and what was created there. */
let created: object[]
let nodeOf: () => object
let onCreate: () => void
const client = {
  get: () => Promise.resolve(nodeOf()),
  create: async (_: object, object: object) => {
    onCreate()
    created.push(object)
    return Promise.resolve(object)
  },
} as unknown as KubeClient

const log = keptLog()
const ctx = quietCtx({ clock: new FakeClock(Date.UTC(2026, 0, 1)), log })
const told = async (said = event) => {
  const events = new NodeEvents({ with: (_, use) => use(client, ctx, {} as never) })
  events.warn(said, ctx)
  await events.settled()
}

beforeEach(() => {
  created = []
  log.lines.length = 0
  onCreate = () => {}
  nodeOf = () => ({ metadata: { name: 'node-1', uid: 'u-1' }, spec: { providerID: event.providerID } })
})

describe('an event on a Node', () => {
  it('is a Warning that kubectl shows beside the Node', async () => {
    await told()
    expect(created).toMatchObject([
      {
        metadata: { namespace: 'default' },
        involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'u-1' },
        type: 'Warning',
        reason: 'SpotPreemption',
        message: event.message,
      },
    ])
  })

  it('is not told on a Node of that name which is another instance', async () => {
    nodeOf = () => ({ metadata: { name: 'node-1' }, spec: { providerID: 'gce://p/z/m2' } })
    await told()
    expect(created).toEqual([])
  })

  it.each([403, 404, 0])('that is refused with %i is a line in the debug log and no failure', async (status) => {
    onCreate = () => {
      throw new ApiError({ status, reason: 'Refused', message: 'No.' })
    }
    await told()
    expect(log.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'debug', node: 'node-1', reason: 'SpotPreemption' },
    ])
  })

  it('that finds its cluster busy is sent when its turn comes', async () => {
    const clock = new FakeClock()
    let busy = 9
    const workload = busyWhile(() => busy-- > 0)
    const events = new NodeEvents(workload)
    events.warn(event, quietCtx({ clock, log }))
    await clock.advance(8 * 1_000)
    expect(created).toEqual([])
    await clock.advance(1_000)
    await events.settled()
    expect(created).toHaveLength(1)
  })

  it('that always finds it busy is given up, and leaves a line', async () => {
    const clock = new FakeClock()
    let asked = 0
    const events = new NodeEvents(busyWhile(() => ++asked > 0))
    events.warn(event, quietCtx({ clock, log }))
    await clock.advance(3_600_000)
    await events.settled()
    expect([asked, created.length, clock.pending]).toEqual([10, 0, 0])
    expect(log.lines).toHaveLength(1)
  })

  it('is one of two thousand at most that wait: more are dropped', async () => {
    const clock = new FakeClock()
    const nodes = new Set<string>()
    const stop = new AbortController()
    const events = new NodeEvents(busyWhile(({ name }) => nodes.add(name).size > 0))
    const own = quietCtx({ clock, log, signal: stop.signal })
    for (let n = 0; n < 2_100; n++) events.warn({ ...event, cluster: { namespace: 'default', name: `c${n}` } }, own)
    await clock.advance(1_000)
    expect(nodes.size).toBe(2_000)
    stop.abort(new Error('over'))
    await events.settled()
  })
})

/** A workload cluster that sends callers away, who may come back after a second. */
function busyWhile(isBusy: (cluster: ClusterRef) => boolean): Pick<WorkloadClients, 'with'> {
  return {
    with: async (cluster, use) => {
      if (isBusy(cluster)) throw new WorkloadBusy(1_000)
      return use(client, ctx, {} as never)
    },
  }
}
