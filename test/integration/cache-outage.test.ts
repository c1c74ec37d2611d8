import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { ApiError } from '../../controllers/runtime/client/api-error.ts'
import { createCache, type Cache } from '../../controllers/runtime/cache/cache.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import type { ControlPlaneFaults } from '../lab/processes/control-plane.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { lasting, outages } from './rigs/outage.ts'
import { awsClusters } from './rigs/spot-rig.ts'

/** A kind of Kubernetes and one of ours: the API server serves their watches in different ways. */
const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true }
const kinds = [configMaps, awsClusters]
const backWithin = { timeoutMs: 15_000 }

let lab: Lab
let faults: ControlPlaneFaults
let namespace: string
let caches: { resource: Resource; cache: Cache<KubeObject> }[]
let running: Promise<unknown>
beforeEach(async () => {
  lab = await startLab({ core: false })
  if (!lab.controlPlane) throw new Error('A lab that starts its own management cluster has its control plane.')
  faults = lab.controlPlane
  namespace = await lab.namespace('cached')
  caches = kinds.map((resource) => {
    const cache = createCache<KubeObject>({ client: lab.client, resource, namespace, project: (raw) => raw })
    return { resource, cache }
  })
  running = Promise.all(caches.map(({ cache }) => cache.run(lab.ctx)))
})
afterEach(async () => {
  await lab.stop()
  await running
})

it.each(outages)('$what killed and back: every cache equals a LIST', async (outage) => {
  await using writer = new Writer()
  await writer.untilWritten(20)
  await outage.begin(faults)
  await sleep(lasting(4_000))
  await outage.end(faults)
  await writer.untilWritten(20)
  await writer.stop()
  await everyCacheEqualsList()
})

it('etcd put back to an older copy, twice: every cache equals a LIST, though the versions begin anew', async () => {
  await using writer = new Writer()
  await writer.untilWritten(20)
  const copy = await faults.snapshotEtcd()
  for (let time = 1; time <= 2; time++) {
    await writer.untilWritten(100)
    await faults.restoreEtcd(copy)
    await everyCacheIsConnected()
  }
  await writer.stop()
  await everyCacheEqualsList()
})

async function everyCacheIsConnected(): Promise<void> {
  const check = () => expect(caches.map(({ cache }) => cache.connected())).toEqual(kinds.map(() => true))
  await eventually('the caches watch again', check, backWithin)
}

async function everyCacheEqualsList(): Promise<void> {
  await everyCacheIsConnected()
  for (const { resource, cache } of caches) {
    await eventually(`${resource.kind}: the cache equals a LIST`, async () => {
      const { items } = await lab.client.list(resource, { namespace }, lab.ctx)
      expect(versions(cache.list())).toEqual(versions(items))
    })
  }
}

/** Versions by object. */
function versions(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => `${keyOf({ metadata })} ${metadata.uid} ${metadata.resourceVersion}`).toSorted()
}

/** Creates, changes and deletes objects of each kind all the while, as far as the API server allows. */
class Writer implements AsyncDisposable {
  readonly #stop = new AbortController()
  readonly #writing = this.#write()
  #written = 0

  /** Waits for this number of further writes. */
  async untilWritten(count: number): Promise<void> {
    const from = this.#written
    await eventually(`${count} writes`, () => expect(this.#written).toBeGreaterThan(from + count), {
      timeoutMs: 60_000,
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#writing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #write(): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn++) {
      const resource = kinds[turn % kinds.length] ?? configMaps
      const name = `object-${Math.floor(Math.random() * 20)}`
      try {
        await this.#one(resource, name, turn)
        this.#written++
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
      await sleep(5)
    }
  }

  async #one(resource: Resource, name: string, turn: number): Promise<void> {
    const { client, ctx } = lab
    const what = Math.random()
    const labels = { turn: String(turn) }
    const spec = resource === awsClusters ? { spec: { region: 'eu-west-1' } } : {}
    const ref = { namespace, name }
    if (what < 0.4) await client.create(resource, { metadata: { ...ref, labels }, ...spec }, ctx)
    else if (what < 0.8) await client.mergePatch(resource, ref, { patch: { metadata: { labels } } }, ctx)
    else await client.delete(resource, ref, {}, ctx)
  }
}
