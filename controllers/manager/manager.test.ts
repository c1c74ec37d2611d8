import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readOptions } from '../../config/options.ts'
import {
  ApiserverStub,
  openWatch,
  sendJson,
  sendStatus,
  type StubRequest,
} from '../../test/support/fakes/apiserver-stub.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { LeaseStore } from '../../test/support/worlds/lease-world.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { until, untilOn } from '../../test/support/until.ts'
import { clouds } from '../../providers/registry.ts'
import { manage } from './manager.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import { createClient } from '../runtime/client/client.ts'
import type { LeaseObject } from '../runtime/process/lease-record.ts'
import { templateKind } from '../template/template.ts'

/** An empty cluster: lists, watches that stay open, and one lease. */
class EmptyCluster {
  readonly leases = new LeaseStore()
  /** Lists wait for this. */
  ready: Promise<void> = Promise.resolve()
  away = false
  /** Plurals that are not served: their CRD is missing. */
  readonly missing = new Set<string>()
  /** Plurals of which one object is larger than anybody reads. */
  readonly huge = new Set<string>()
  /** Plurals whose lists are not answered any more. */
  readonly silent = new Set<string>()

  answer(request: StubRequest, response: ServerResponse): void {
    const plural = request.path.split('/').at(-1) ?? ''
    if (this.away) response.destroy()
    else if (this.missing.has(plural)) response.writeHead(404).end('404 page not found')
    else if (this.huge.has(plural)) response.end('x'.repeat(9 * 1024 * 1024))
    else if (request.path.includes('/leases')) this.#lease(request, response)
    else if (request.query.has('watch')) openWatch(response)
    else if (this.silent.has(plural)) response.flushHeaders()
    else void this.ready.then(() => sendJson(response, { items: [], metadata: { resourceVersion: '1' } }))
  }

  #lease({ method, body }: StubRequest, response: ServerResponse): void {
    try {
      sendJson(response, this.#leaseDone(method, body))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      sendStatus(response, error.status, error.reason)
    }
  }

  #leaseDone(method: string, body: string): LeaseObject {
    if (method === 'GET') return this.leases.read()
    const { metadata, spec = {} } = JSON.parse(body) as LeaseObject
    return method === 'POST' ? this.leases.create(spec) : this.leases.patch(metadata.resourceVersion, spec)
  }
}

let cluster: EmptyCluster
let stub: ApiserverStub
let end: () => Promise<void>

beforeEach(async () => {
  cluster = new EmptyCluster()
  stub = await ApiserverStub.start((request, response) => cluster.answer(request, response))
})
afterEach(async () => {
  await end()
  await stub[Symbol.asyncDispose]()
})

/** The manager as a process would run it, but with a clock that stands still. */
function start(...args: string[]) {
  const clock = new FakeClock()
  const log = keptLog()
  const stop = new AbortController()
  const connection = { server: stub.url }
  const clients = {
    all: createClient(connection, { userAgent: 'test' }),
    lease: createClient(connection, { userAgent: 'test' }),
  }
  const state = { over: undefined as unknown }
  const options = readOptions(['--metrics-bind-address', '127.0.0.1:0', ...args], {})
  const running = manage(clients, options, quietCtx({ clock, log, signal: stop.signal })).then(
    () => (state.over = 'stopped'),
    (error: unknown) => (state.over = error),
  )
  end = async () => {
    stop.abort(new Error('SIGTERM'))
    await running
    await Promise.all([clients.all.close(), clients.lease.close()])
  }
  const page = async (path: string) => {
    const port = await untilServing(log.lines)
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  return { clock, log, page, running, state, stop }
}

async function untilServing(lines: readonly string[], what = 'metrics'): Promise<number> {
  const serving = () => lines.find((line) => line.includes(`Serving ${what}`))
  await until(() => serving() !== undefined, 'the port')
  return (JSON.parse(serving() ?? '') as { address: { port: number } }).address.port
}

const ofClouds = Object.values(clouds).flatMap(({ machines, clusters }) => [
  machines.plural,
  clusters.plural,
  templateKind(machines).plural,
])
const kinds = [
  'clusters',
  'machines',
  'externalcontrolplanes',
  'interruptionpolicies',
  'machinehealthchecks',
  'machinesets',
  'machinedeployments',
  'capacitypools',
  ...ofClouds,
]
/** Only read: without one of them a hook would be taken off too soon. Or without a namespace, for all managers. */
const whole = ['machinesets', 'machinedeployments', 'capacitypools']
const watched = () => stub.requests.filter(({ query }) => query.has('watch')).map(({ path }) => path.split('/').at(-1))

it('is well from the start, and ready when everything has been listed', async () => {
  const listed = Promise.withResolvers<void>()
  cluster.ready = listed.promise
  const { page } = start()
  expect(await page('/healthz')).toEqual({ status: 200, text: '[+] event loop\n[+] lease\n' })
  const early = await page('/readyz')
  expect(early.status).toBe(503)
  expect(early.text).toContain('[-] Cluster cache: Not everything has been listed yet.')
  listed.resolve()
  await until(() => watched().length === kinds.length)
  const ready = await page('/readyz')
  expect(ready.status).toBe(200)
  expect(ready.text).toContain('[+] AWSMachine cache')
  const { text } = await page('/metrics')
  expect(text).toMatch(/^capspot_leader 1$/m)
  expect(text).toMatch(/^capspot_watch_relists_total\{kind="Machine",reason="start"\} 1$/m)
})

it('allows writes to clouds once the caches watch, and forbids them when the API server is away', async () => {
  const { clock, page } = start()
  const allowed = async () =>
    /^capspot_cloud_writes_allowed\{cloud="aws"\} (\d)$/m.exec((await page('/metrics')).text)?.[1]
  await until(() => watched().length === kinds.length)
  expect(await allowed()).toBe('1')
  cluster.away = true
  // The watches stay open: that alone proves nothing.
  let seconds = 0
  for (; (await allowed()) === '1' && seconds < 60; seconds++) await clock.advance(1_000)
  expect(seconds).toBeLessThanOrEqual(6)
  expect(await allowed()).toBe('0')
  cluster.away = false
  for (seconds = 0; (await allowed()) === '0' && seconds < 60; seconds++) await clock.advance(1_000)
  expect(await allowed()).toBe('1')
})

it('allows writes to clouds in a storm in which no list of Machines is answered', async () => {
  const { clock, page } = start()
  await until(() => watched().length === kinds.length)
  cluster.silent.add('machines')
  for (let seconds = 0; seconds < 20; seconds++) {
    await clock.advance(1_000)
    const { text } = await page('/metrics')
    expect(text, `after ${seconds} s`).toContain('capspot_cloud_writes_allowed{cloud="aws"} 1')
  }
})

it.each(['missing', 'huge'] as const)(
  'C3: a kind that cannot be listed (%s) closes the gate of its own cloud, and all others work',
  async (how) => {
    cluster[how].add('gcpmachines')
    const { log, page } = start()
    await until(() => watched().length === kinds.length - 1)
    expect((await page('/readyz')).status).toBe(200)
    const { text } = await page('/metrics')
    const allowed = [...text.matchAll(/^capspot_cloud_writes_allowed\{cloud="(\w+)"\} (\d)$/gm)]
    expect(Object.fromEntries(allowed.map(([, cloud, yes]) => [cloud, yes]))).toEqual({
      aws: '1',
      azure: '1',
      ibm: '1',
      gcp: '0',
    })
    expect(text).toContain('capspot_cache_followed{kind="GCPMachine"} 0')
    expect(text).toContain('capspot_cache_followed{kind="AWSMachine"} 1')
    expect(text).toContain('capspot_leader 1')
    expect(log.lines.find((line) => line.includes('Watching again after a failure'))).toContain('gcpmachines.spot')
  },
)

it.each(['missing', 'huge'] as const)('CapacityPools that cannot be listed (%s) hold up nothing', async (how) => {
  cluster[how].add('capacitypools')
  const { log, page } = start()
  await until(() => watched().length === kinds.length - 1)
  expect((await page('/readyz')).status).toBe(200)
  const { text } = await page('/metrics')
  const allowed = [...text.matchAll(/^capspot_cloud_writes_allowed\{cloud="\w+"\} (\d)$/gm)]
  expect(allowed.map(([, yes]) => yes)).toEqual(['1', '1', '1', '1'])
  expect(log.lines.filter((line) => line.includes('capacitypools')).length).toBeGreaterThan(0)
})

it('--capacity-pools=false leaves the kind alone', async () => {
  start('--capacity-pools=false')
  await until(() => watched().length === kinds.length - 1)
  expect(watched()).not.toContain('capacitypools')
})

it('takes hints at --hint-bind-address, with the token in the file, and nowhere without that', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capspot-hints-'))
  const file = join(folder, 'token')
  await writeFile(file, 'canary-1')
  const { log } = start('--hint-bind-address', '127.0.0.1:0', '--hint-token-file', file)
  const port = await untilServing(log.lines, 'hints')
  const hint = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`http://127.0.0.1:${port}/hint/ibm/eu-de`, { method: 'POST', headers })).status
  }
  expect([await hint('canary-1'), await hint('canary-2')]).toEqual([202, 401])
  await end()
  await rm(folder, { recursive: true })
  const { log: without, page } = start()
  await until(() => watched().length === 2 * kinds.length)
  expect((await page('/readyz')).status).toBe(200)
  expect(without.lines.filter((line) => line.includes('Serving hints'))).toEqual([])
})

it('sees what it is to act on, by namespace and by --watch-filter', async () => {
  start('--namespace', 'ns', '--watch-filter', 'blue')
  await until(() => watched().length === kinds.length)
  expect(new Set(watched())).toEqual(new Set(kinds))
  const selected = stub.requests.filter(({ query }) => query.get('limit') !== '1')
  for (const { path, query } of selected) {
    const plural = path.split('/').at(-1) ?? ''
    expect(path.includes('/namespaces/ns/')).toBe(plural !== 'capacitypools')
    const isWhole = whole.includes(plural)
    expect(query.get('labelSelector')).toBe(isWhole ? null : 'cluster.x-k8s.io/watch-filter=blue')
  }
})

it('waits for the lease before it acts, and gives it back when it ends', async () => {
  cluster.leases.put({ holderIdentity: 'other', leaseDurationSeconds: 15 })
  const { clock, log, page, running, state, stop } = start(
    '--leader-elect',
    '--leader-election-identity=me',
    '--leader-election-namespace=elections',
  )
  await until(() => watched().length === kinds.length)
  expect((await page('/readyz')).status).toBe(200)
  expect((await page('/metrics')).text).toMatch(/^capspot_leader 0$/m)
  await untilOn(clock, 200, () => log.lines.some((line) => line.includes('Holding the lease')))
  expect(cluster.leases.spec?.holderIdentity).toMatch(/^me\/./)
  expect(stub.requests.filter(({ path }) => path.includes('/leases')).at(-1)?.path).toBe(
    '/apis/coordination.k8s.io/v1/namespaces/elections/leases/controller-leader-election-capspot',
  )
  stop.abort(new Error('SIGTERM'))
  await running
  expect(state.over).toBe('stopped')
  expect(cluster.leases.spec?.holderIdentity).toBe('')
  const ends = log.lines
    .filter((line) => line.includes('"Stopped"'))
    .map((line) => JSON.parse(line) as { runnable?: string })
  expect(ends.slice(0, 2).map(({ runnable }) => runnable)).toEqual(['Controllers', 'Lease'])
  expect(clock.pending).toBe(0)
})

it('ends with a sentence when the lease is lost, and leaves nothing behind', async () => {
  const { clock, log, state } = start('--leader-elect')
  await until(() => watched().length === kinds.length)
  await untilOn(clock, 100, () => log.lines.some((line) => line.includes('Holding the lease')))
  cluster.away = true
  await untilOn(clock, 100, () => state.over !== undefined)
  expect(String(state.over)).toMatch(/"Lease" failed: The lease .* could not be renewed for 10 s.*this one ends/)
  expect(clock.pending).toBe(0)
})
