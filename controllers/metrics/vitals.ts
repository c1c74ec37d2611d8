import { findCondition } from '../../api/conditions.ts'
import { remediationDue } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { EventLoop } from '../runtime/process/event-loop.ts'
import type { Queue } from '../runtime/controller/queue.ts'
import type { NamedCache, WriteGate } from '../runtime/process/write-gate.ts'
import type { Metrics } from './metrics.ts'

/** The sources of gauges that are read with the page. */
export interface Vitals {
  readonly eventLoop: EventLoop
  readonly isLeader: () => boolean
}

export function showVitals(metrics: Metrics, { eventLoop, isLeader }: Vitals): void {
  metrics.beforeEach(() => {
    const { p50Ms, p99Ms } = eventLoop.lag()
    metrics.set('eventLoopLagMedian', {}, p50Ms / 1000)
    metrics.set('eventLoopLagMost', {}, p99Ms / 1000)
    metrics.set('leader', {}, isLeader() ? 1 : 0)
    const { rss, heapUsed } = process.memoryUsage()
    metrics.set('residentMemory', {}, rss)
    metrics.set('heapUsed', {}, heapUsed)
  })
}

/** Whether creates and terminates may begin in a cloud. */
export function showGate(metrics: Metrics, cloud: string, gate: Pick<WriteGate, 'closed'>): void {
  metrics.beforeEach(() => metrics.set('writesAllowed', { cloud }, gate.closed() === undefined ? 1 : 0))
}

/** Which kinds are listed and watched. A kind that is not stops its part. */
export function showCaches(metrics: Metrics, caches: () => readonly NamedCache[]): void {
  metrics.beforeEach(() => {
    for (const { kind, cache } of caches()) {
      metrics.set('cachesFollowed', { kind }, cache.hasSynced() && cache.connected() ? 1 : 0)
    }
  })
}

export function showQueue(metrics: Metrics, controller: string, queue: Pick<Queue, 'depth'>): void {
  metrics.beforeEach(() => {
    for (const [state, count] of Object.entries(queue.depth)) {
      metrics.set('queueDepth', { controller, state }, count)
    }
  })
}

/** The machines of all kinds, by the reason of their condition Ready. */
export function showMachines(metrics: Metrics, caches: ReadonlyMap<string, Pick<Cache<InfraMachine>, 'list'>>): void {
  metrics.beforeEach(() => {
    metrics.reset('machines')
    for (const [kind, cache] of caches) {
      for (const [reason, count] of reasonsOf(cache.list())) metrics.set('machines', { kind, reason }, count)
    }
  })
}

/** Core's Machines, by the reason of the remediation controller's condition. */
export function showRemediations(metrics: Metrics, machines: Pick<Cache<Machine>, 'list'>): void {
  metrics.beforeEach(() => {
    metrics.reset('remediations')
    const said = machines
      .list()
      .flatMap(({ status }) => findCondition(status?.conditions, remediationDue)?.reason ?? [])
    for (const [reason, { length }] of Map.groupBy(said, (one) => one)) metrics.set('remediations', { reason }, length)
  })
}

function reasonsOf(machines: readonly InfraMachine[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { status } of machines) {
    const reason = findCondition(status?.conditions, 'Ready')?.reason ?? 'None'
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return counts
}
