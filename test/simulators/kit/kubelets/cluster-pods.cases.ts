import { expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../../controllers/runtime/client/api-error.ts'
import type { KubeClient, WatchEvent } from '../../../../controllers/runtime/client/client.ts'
import { FakeClock } from '../../../support/fakes/fake-clock.ts'
import { quietCtx } from '../../../support/fakes/quiet-ctx.ts'
import { ClusterPods } from './cluster-pods.ts'
import { endsAfter, type Pod } from './pod.ts'

/** The Pods of a cluster, as far as kubelets use them. Of each, the newest version only. */
class FakePods {
  readonly stored = new Map<string, Pod>()
  readonly calls: string[] = []
  /** Thrown by the next writes, one each. */
  readonly troubles: Error[] = []
  readonly #events: WatchEvent<Pod>[] = []
  #version = 1
  #wake = () => {}

  readonly client = {
    list: () => Promise.resolve({ items: [...this.stored.values()], resourceVersion: String(this.#version) }),
    watch: () => this.#watch(),
    apply: (_: unknown, { metadata, status }: Pod) =>
      this.#write(`apply ${metadata.name} ${status?.phase}`, () => {
        const before = this.#find(metadata.name, metadata.uid)
        this.put({ ...before, ...(status ? { status } : {}) })
      }),
    create: (_: unknown, pod: Pod) => this.#write(`create ${pod.metadata.name}`, () => this.put(pod)),
    delete: (
      _: unknown,
      { name }: { name: string },
      { uid, gracePeriodSeconds }: { uid?: string; gracePeriodSeconds?: number },
    ) => this.#write(`delete ${name} ${gracePeriodSeconds}`, () => this.remove(this.#find(name, uid))),
  } as unknown as KubeClient

  put(pod: Pod): void {
    const { name, uid = `uid-${this.#version}` } = pod.metadata
    const type = this.stored.has(name) ? 'MODIFIED' : 'ADDED'
    const object = { ...pod, metadata: { ...pod.metadata, uid, resourceVersion: String(++this.#version) } }
    this.stored.set(name, object)
    this.#tell({ type, object })
  }

  /** A user deletes it, or deletes it again. */
  deleted(name: string, deletionGracePeriodSeconds: number): void {
    const pod = this.#find(name)
    const deletionTimestamp = '2026-01-01T00:00:00Z'
    this.put({ ...pod, metadata: { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds } })
  }

  remove(object: Pod): void {
    this.stored.delete(object.metadata.name)
    this.#tell({ type: 'DELETED', object })
  }

  #find(name: string, uid?: string): Pod {
    const found = this.stored.get(name)
    if (!found) throw refusal(404, 'NotFound')
    if (uid !== undefined && found.metadata.uid !== uid) throw refusal(409, 'Conflict')
    return found
  }

  async #write(call: string, run: () => void): Promise<void> {
    this.calls.push(call)
    const trouble = this.troubles.shift()
    if (trouble) throw trouble
    run()
  }

  #tell(event: WatchEvent<Pod>): void {
    this.#events.push(event)
    this.#wake()
  }

  async *#watch(): AsyncGenerator<WatchEvent<Pod>> {
    for (;;) {
      for (let event = this.#events.shift(); event; event = this.#events.shift()) yield event
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

const refusal = (status: number, reason: string) => new ApiError({ status, reason, message: reason })

function pod(name: string, annotations: Record<string, string> = {}): Pod {
  const containers = [{ name: 'c', image: 'i' }]
  return { metadata: { name, namespace: 'ns', annotations }, spec: { nodeName: 'node', containers } }
}

function setUp() {
  const clock = new FakeClock()
  const ending = new AbortController()
  const fake = new FakePods()
  const ctx = quietCtx({ clock, signal: ending.signal })
  const kubelets = new ClusterPods({ client: fake.client, ctx })
  void kubelets.run(ctx)
  onTestFinished(() => ending.abort(new Error('The end.')))
  const boot = () => {
    const life = new AbortController()
    kubelets.serve('node', life.signal)
    return life
  }
  /** What is told takes some turns until it is done. */
  const pass = async (ms: number) => {
    await clock.advance(ms)
    for (let turn = 0; turn < 5; turn++) await clock.advance(0)
  }
  return { fake, boot, pass }
}

const phaseOf = (fake: FakePods, name: string) => fake.stored.get(name)?.status?.phase

test('a Pod runs once its machine does, whichever came first', async () => {
  const { fake, boot, pass } = setUp()
  fake.put(pod('early'))
  await pass(1_000)
  expect(fake.calls).toEqual([])
  boot()
  await pass(0)
  fake.put(pod('late'))
  await pass(0)
  expect(fake.calls).toEqual(['apply early Running', 'apply late Running'])
  expect(fake.stored.get('late')?.status).toMatchObject({
    conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]) as object,
    containerStatuses: [{ name: 'c', ready: true }],
  })
})

test('a deleted Pod is gone when its containers have ended, and not a moment before', async () => {
  const { fake, boot, pass } = setUp()
  boot()
  fake.put(pod('p', { [endsAfter]: '3s' }))
  await pass(0)
  fake.deleted('p', 20)
  await pass(2_999)
  expect(phaseOf(fake, 'p')).toBe('Running')
  await pass(1)
  expect(fake.calls.slice(1)).toEqual(['apply p Succeeded', 'delete p 0'])
  expect(fake.stored.size).toBe(0)
})

test('one that ignores SIGTERM is killed at the end of its grace', async () => {
  const { fake, boot, pass } = setUp()
  boot()
  fake.put(pod('p'))
  await pass(0)
  fake.deleted('p', 20)
  await pass(19_999)
  expect(phaseOf(fake, 'p')).toBe('Running')
  await pass(1)
  expect(fake.calls.slice(1)).toEqual(['apply p Failed', 'delete p 0'])
})

test('a second deletion shortens what is left, and never makes it longer', async () => {
  const { fake, boot, pass } = setUp()
  boot()
  for (const name of ['shorter', 'longer']) fake.put(pod(name))
  await pass(0)
  for (const name of ['shorter', 'longer']) fake.deleted(name, 20)
  await pass(10_000)
  fake.deleted('shorter', 2)
  fake.deleted('longer', 60)
  await pass(1_999)
  expect([...fake.stored.keys()]).toEqual(['shorter', 'longer'])
  await pass(1)
  expect([...fake.stored.keys()]).toEqual(['longer'])
  await pass(8_000)
  expect(fake.stored.size).toBe(0)
})

test('a Pod of that name that was made anew gets its own grace', async () => {
  const { fake, boot, pass } = setUp()
  boot()
  fake.put(pod('p'))
  await pass(0)
  fake.deleted('p', 5)
  await pass(4_000)
  const [before] = fake.stored.values()
  if (before) fake.remove(before)
  fake.put(pod('p'))
  await pass(0)
  fake.deleted('p', 5)
  await pass(4_999)
  expect(phaseOf(fake, 'p')).toBe('Running')
  await pass(1)
  expect(fake.stored.size).toBe(0)
})

test('a dead machine does nothing: its Pod stays, and gets its whole grace when the machine starts again', async () => {
  const { fake, boot, pass } = setUp()
  const life = boot()
  for (const name of ['dying', 'deleted-later', 'bound-later']) if (name !== 'bound-later') fake.put(pod(name))
  await pass(0)
  fake.deleted('dying', 5)
  await pass(4_000)
  life.abort(new Error('The machine has stopped.'))
  fake.deleted('deleted-later', 5)
  fake.put(pod('bound-later'))
  const before = fake.calls.length
  await pass(3_600_000)
  expect(fake.calls.slice(before)).toEqual([])
  expect([...fake.stored.keys()].toSorted()).toEqual(['bound-later', 'deleted-later', 'dying'])

  boot()
  await pass(4_999)
  expect(phaseOf(fake, 'bound-later')).toBe('Running')
  expect(fake.stored.size).toBe(3)
  await pass(1)
  expect([...fake.stored.keys()]).toEqual(['bound-later'])
})

test('a deleted copy of a static Pod comes back at once, and its machine alone ends it', async () => {
  const { fake, boot, pass } = setUp()
  const life = boot()
  fake.put(pod('static', { 'kubernetes.io/config.mirror': 'a file' }))
  await pass(0)
  const { uid } = fake.stored.get('static')?.metadata ?? {}
  fake.deleted('static', 30)
  await pass(0)
  expect(fake.calls).toEqual(['apply static Running', 'delete static 0', 'create static', 'apply static Running'])
  expect(fake.stored.get('static')?.metadata).not.toMatchObject({ uid })
  expect(fake.stored.get('static')?.metadata).not.toHaveProperty('deletionTimestamp')

  life.abort(new Error('The machine has stopped.'))
  const [copy] = fake.stored.values()
  if (copy) fake.remove(copy)
  await pass(60_000)
  expect(fake.stored.size).toBe(0)
})

test('a Pod whose annotation is no duration does not start, and says why', async () => {
  const { fake, boot, pass } = setUp()
  boot()
  fake.put(pod('p', { [endsAfter]: 'soon' }))
  await pass(60_000)
  expect(fake.stored.get('p')?.status).toMatchObject({
    phase: 'Pending',
    reason: 'BadAnnotation',
    message: 'The annotation lab.invalid/ends-after must be a duration such as 500ms, 3s or 1m.',
  })
  expect(fake.calls).toEqual(['apply p Pending'])
})

test('while the cluster does not take it, it tries again', async () => {
  const { fake, boot, pass } = setUp()
  boot()
  fake.put(pod('p', { [endsAfter]: '0' }))
  fake.troubles.push(refusal(503, 'ServiceUnavailable'), refusal(0, 'Unreachable'))
  await pass(10_000)
  expect(phaseOf(fake, 'p')).toBe('Running')
  fake.troubles.push(refusal(500, 'InternalError'))
  fake.deleted('p', 20)
  await pass(10_000)
  expect(fake.stored.size).toBe(0)
})
