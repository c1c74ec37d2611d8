import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import type { InfraCluster } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { everythingIn } from '../lab/namespace.ts'
import { freePort } from '../lab/processes/port.ts'
import { awsClusters, SpotRig } from './rigs/spot-rig.ts'

/** CAPSPOT_LONG: longer than every resync. */
const idleMs = process.env['CAPSPOT_LONG'] ? 90_000 : 20_000
const renewsEveryMs = 2_000
/** As the rig starts the manager. */
const pollMs = 1_000
const asksForNotices = 'DescribeSpotInstanceRequests'
/** Every five minutes, and with the first instance: longer than this test may take. */
const asksForEvents = 'DescribeInstanceStatus'
const writes = ['create', 'patch', 'apply', 'delete']
const spot = 'cluster-api-provider-spot'
const events: Resource = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true }

interface Event extends KubeObject {
  reason: string
  message: string
  count: number
  involvedObject: { uid?: string }
  reportingComponent: string
}

let rig: SpotRig
let port: number
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
  port = await freePort()
  await rig.startManager(['--leader-elect', '--metrics-bind-address', `127.0.0.1:${port}`])
})
afterEach(() => rig[Symbol.asyncDispose]())

it('when nothing happens nothing is written but the Lease, no event is told again, and EC2 gets two calls a poll, and one every five minutes', async () => {
  await rig.applyExamples(3)
  await rig.running(3)
  await eventually('notices are asked for', () =>
    expect(Object.keys(rig.aws.control.counts().actions)).toEqual(
      expect.arrayContaining([asksForNotices, asksForEvents]),
    ),
  )
  await eventually('the condition tells of every source', async () => {
    const [cluster] = await rig.list<InfraCluster>(awsClusters)
    const said = findCondition(cluster?.status?.conditions, 'NoticeSources')
    expect(said?.status).toBe('True')
    for (const source of ['Status of spot requests', 'Scheduled events', 'Nodes'])
      expect(said?.message).toContain(source)
  })
  const resting = await untilAtRest()
  expect(rig.aws.control.counts().actions[asksForEvents]).toMatchObject({ calls: 1 })
  rig.aws.control.resetCounts()
  const before = await requests()
  const began = performance.now()
  await sleep(idleMs)
  const [after, tookMs] = [await requests(), performance.now() - began]
  const calls = rig.aws.control.counts().actions

  expect(Object.keys(calls).toSorted()).toEqual(['DescribeInstances', asksForNotices])
  for (const action of Object.values(calls)) {
    expect(action.calls).toBeGreaterThan(0)
    expect(action.calls).toBeLessThanOrEqual(Math.ceil(tookMs / pollMs) + 1)
  }
  expect(await versions()).toEqual(resting)
  const made = Object.fromEntries(writes.map((verb) => [verb, (after.get(verb) ?? 0) - (before.get(verb) ?? 0)]))
  expect(made).toMatchObject({ create: 0, apply: 0, delete: 0 })
  expect(made['patch'], 'renewals of the Lease').toBeGreaterThan(0)
  expect(made['patch'], 'renewals of the Lease').toBeLessThanOrEqual(Math.ceil(tookMs / renewsEveryMs) + 1)
  const ours = (await rig.list<Event>(events)).filter(({ reportingComponent }) => reportingComponent === spot)
  const told = ours.map(({ involvedObject, reason, message, count }) => [involvedObject.uid, reason, message, count])
  expect(told.length).toBeGreaterThan(0)
  expect(new Set(told.map(String)).size, 'different events').toBe(told.length)
  expect(told.map((event) => event.at(-1))).toEqual(told.map(() => 1))
})

/** Waits until core and the labels of the Nodes settle. Returns the objects. */
async function untilAtRest(): Promise<string[]> {
  return eventually(
    'all is at rest',
    async () => {
      const before = await versions()
      await rig.afterPolls(5)
      expect(await versions()).toEqual(before)
      return before
    },
    { timeoutMs: 60_000 },
  )
}

/** The versions of everything in the namespace, events too. */
async function versions(): Promise<string[]> {
  const found = await everythingIn(rig.namespace, rig.lab.client, rig.lab.ctx)
  return found
    .map(({ resource, object: { metadata } }) => `${resource.kind} ${metadata.name} ${metadata.resourceVersion}`)
    .toSorted()
}

/** Requests to the API server so far, by verb, as the manager counts them. */
async function requests(): Promise<Map<string, number>> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const counts = new Map<string, number>()
  for (const [, verb = '', count] of page.matchAll(/^capspot_apiserver_requests_total\{.*verb="(\w+)".*\} (\d+)$/gm)) {
    counts.set(verb, (counts.get(verb) ?? 0) + Number(count))
  }
  return counts
}
