import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import type { ExternalControlPlane } from '../../api/generated/external-control-plane.ts'
import { externalControlPlanes } from '../../api/kinds.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { until } from '../../test/support/until.ts'
import { kubeconfigOf, tokenUntil, WorkloadStub } from '../../test/support/fakes/workload-stub.ts'
import type { Result } from '../runtime/controller/result.ts'
import { AccessReviews } from '../workload/access.ts'
import { WorkloadClients } from '../workload/clients.ts'
import { reconcileControlPlane, type ControlPlaneDeps } from './reconcile.ts'

const namespace = 'default'
const labels = { 'cluster.x-k8s.io/cluster-name': 'c1' }
let clock: FakeClock
let apiserver: FakeApiserver
let workload: WorkloadStub
let deps: ControlPlaneDeps

beforeEach(async () => {
  clock = new FakeClock()
  apiserver = new FakeApiserver()
  workload = await WorkloadStub.start()
  const client = apiserver.client()
  deps = {
    resource: externalControlPlanes,
    client,
    controlPlanes: apiserver.cache('ExternalControlPlane'),
    clusters: apiserver.cache('Cluster'),
    workloads: new WorkloadClients(client),
    access: new AccessReviews(),
  }
  const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c1', uid: 'u' }]
  apiserver.put('ExternalControlPlane', { metadata: { namespace, name: 'c1', generation: 1, ownerReferences } })
  putCluster({})
})

afterEach(async () => {
  await deps.workloads.close()
  await workload[Symbol.asyncDispose]()
})

function putCluster(spec: object): void {
  apiserver.put('Cluster', { metadata: { namespace, name: 'c1' }, spec } as never)
}

function putSecret(data: object, more: object = { labels }): void {
  apiserver.put('Secret', { metadata: { namespace, name: 'c1-kubeconfig', ...more }, data } as never)
}

const pass = (): Promise<Result> => reconcileControlPlane('default/c1', deps, quietCtx({ clock }))
const object = () => apiserver.get('ExternalControlPlane', 'default/c1') as unknown as ExternalControlPlane
const condition = (type: string) => findCondition(object().status?.conditions, type)

/** One pass later: what Available says. */
async function said(): Promise<string> {
  await pass()
  const { status, reason, message } = condition('Available') ?? {}
  return `${status} ${reason}: ${message}`
}

describe('with a kubeconfig that serves', () => {
  beforeEach(() => putSecret(workload.kubeconfig()))

  it('says available and initialized, and is asked again in a while; nothing is written while nothing changes', async () => {
    expect(await pass()).toMatchObject({ requeueAfterMs: 20_000 })
    expect(condition('Available')).toMatchObject({ status: 'True', reason: 'Available' })
    expect(condition('Paused')?.status).toBe('False')
    const { initialization, externalManagedControlPlane } = object().status ?? {}
    expect([initialization, externalManagedControlPlane]).toEqual([{ controlPlaneInitialized: true }, true])
    await pass()
    const writes = apiserver.writes.length
    await pass()
    await clock.advance(600_000)
    await pass()
    expect(apiserver.writes).toHaveLength(writes)
  })

  it('the endpoint is named where nobody has named one, before it is initialized', async () => {
    await pass()
    expect(object().spec).toEqual({ controlPlaneEndpoint: { host: '127.0.0.1', port: workload.server.port } })
    expect(apiserver.writes.map(({ subresource }) => subresource)).toEqual([undefined, 'status'])
  })

  it('the endpoint stays as it stands where the Cluster has one, or the object itself', async () => {
    putCluster({ controlPlaneEndpoint: { host: 'c1.example.com', port: 443 } })
    await pass()
    expect(object().spec).toBeUndefined()
    putCluster({})
    const spec = { controlPlaneEndpoint: { host: 'other.example.com', port: 443 } }
    apiserver.put('ExternalControlPlane', { ...object(), spec } as never)
    await pass()
    expect(object().spec).toEqual(spec)
  })

  it('when the credentials will end is said beforehand', async () => {
    workload.token = tokenUntil(clock.now() + 3_600_000)
    putSecret(workload.kubeconfig())
    expect(await said()).toBe(
      'True Available: The API server of the workload cluster answers. Its credentials expire at 2026-01-01T01:00:00Z. Write new ones into Secret c1-kubeconfig before that.',
    )
  })

  it('while it is paused nobody is asked, and Paused says so', async () => {
    putCluster({ paused: true })
    expect(await pass()).toBe('done')
    expect([condition('Paused')?.status, condition('Available')]).toEqual(['True', undefined])
    expect(workload.server.requests).toEqual([])
  })

  it('without a Cluster, and while it is deleted, nobody is asked', async () => {
    apiserver.objects.delete('Cluster default/c1')
    expect(await said()).toMatch(/^Unknown WaitingForCluster: /)
    apiserver.markDeleted('ExternalControlPlane', 'default/c1', 'now')
    expect([await pass(), workload.server.requests]).toEqual(['done', []])
  })

  it('an API server that went away and came back: False with what to do, then True; it stays initialized', async () => {
    await pass()
    workload.instead = ({ socket }) => socket.destroy()
    expect(await said()).toMatch(
      /^False Unreachable: The manager reaches no API server .* Machines are still created and deleted/,
    )
    expect(object().status?.initialization).toEqual({ controlPlaneInitialized: true })
    expect(await pass()).toMatchObject({ requeueAfterMs: 10_000 })
    workload.instead = undefined
    await clock.advance(10_000)
    expect(await said()).toMatch(/^True /)
  })
})

describe.each([
  {
    because: 'there is no Secret',
    given: () => {},
    says: /^False KubeconfigMissing: Secret c1-kubeconfig does not exist; create it .* docs\/workload-access\.md/,
  },
  {
    because: 'the kubeconfig would run a command',
    given: () => putSecret(workload.kubeconfig({ exec: { command: 'x' } })),
    says: /^False KubeconfigNotSupported: Secret c1-kubeconfig: .*`exec`.* use a ServiceAccount token/,
  },
  {
    because: 'the credentials are wrong',
    given: () => putSecret(workload.kubeconfig({ token: 'bad' })),
    says: /^False CredentialsDenied: .* in Secret c1-kubeconfig\. They are wrong, revoked or expired\. Write new/,
  },
  {
    because: 'the credentials have expired, as they say themselves',
    given: () => putSecret(workload.kubeconfig({ token: tokenUntil(clock.now() - 60_000) })),
    says: /^False CredentialsDenied: .* in Secret c1-kubeconfig expired at 2025-12-31T23:59:00Z\. Write new/,
  },
  {
    because: 'nothing answers there',
    given: () => putSecret(kubeconfigOf({ server: 'https://127.0.0.1:1' }, { token: 't' })),
    says: /^False Unreachable: .* with the kubeconfig in Secret c1-kubeconfig\. It tries again\. Check `server`/,
  },
])('when $because', ({ given, says }) => {
  it('a sentence says what to do, it is asked again soon, and it is not initialized', async () => {
    given()
    expect(await said()).toMatch(says)
    // Its own write wakes it, while the cluster still rests: the same is said then, and nothing written.
    const writes = apiserver.writes.length
    expect(await pass()).toMatchObject({ requeueAfterMs: 10_000 })
    expect(apiserver.writes).toHaveLength(writes)
    await clock.advance(10_000)
    await pass()
    expect(apiserver.writes).toHaveLength(writes)
    expect(object().status?.initialization).toBeUndefined()
    expect(object().spec).toBeUndefined()
  })
})

describe('B5: whatever keeps us from the API server', () => {
  const other = kubeconfigOf({ server: 'https://127.0.0.1:1' }, { token: 't' })
  const ways: Record<string, () => void> = {
    'nothing listens': () => putSecret(other),
    'another authority': () => putSecret(workload.kubeconfig(undefined, { 'certificate-authority-data': undefined })),
    'the connection breaks': () => {
      workload.instead = ({ socket }) => socket.destroy()
    },
    'something else answers': () => {
      workload.version = 'Welcome!'
    },
    'a web server refuses': () => {
      workload.instead = (_request, response) => response.writeHead(404).end('no such page')
    },
    'an answer without an end': () => {
      workload.version = 'x'.repeat(128 * 1024)
    },
  }

  it.each(Object.keys(ways))('Available says the same for all, and the log says which: %s', async (way) => {
    putSecret(workload.kubeconfig())
    ways[way]?.()
    const log = keptLog()
    await reconcileControlPlane('default/c1', deps, quietCtx({ clock, log }))
    expect(condition('Available')?.message).toBe(
      'The manager reaches no API server with the kubeconfig in Secret c1-kubeconfig. It tries again. Check `server` and `certificate-authority-data` there. The log of the manager shows the error. Machines are still created and deleted, but their Nodes are neither labelled nor drained.',
    )
    expect(log.lines.filter((line) => line.includes('Workload cluster not reached'))).toHaveLength(1)
  })
})

describe('C5: an API server that takes its time', () => {
  it('is asked for all permissions at once, by its rules', async () => {
    putSecret(workload.kubeconfig())
    expect(await said()).toMatch(/^True /)
    expect(workload.server.requests.map(({ path }) => path.split('/').at(-1))).toEqual([
      'version',
      'selfsubjectrulesreviews',
      'selfsubjectrulesreviews',
    ])
  })

  it('has ten seconds for all of a pass, however many answers it gives in that time', async () => {
    putSecret(workload.kubeconfig())
    const held: (() => void)[] = []
    workload.instead = (request, response) => void held.push(() => workload.answer(request, response))
    const passing = said()
    await until(() => held.length === 1)
    await clock.advance(9_900)
    held[0]?.()
    await until(() => held.length === 2)
    await clock.advance(100)
    expect(await passing).toMatch(/^False Unreachable: /)
  })

  it('is left alone while others ask it, and what is known of it stands', async () => {
    putSecret(workload.kubeconfig())
    await pass()
    const held: (() => void)[] = []
    workload.instead = (request, response) => void held.push(() => workload.answer(request, response))
    const using = deps.workloads.with(
      { namespace, name: 'c1' },
      (client, own) => client.raw('/version', own),
      quietCtx({ clock }),
    )
    await until(() => held.length === 1)
    await clock.advance(1_000)
    const next = await pass()
    expect(next).toMatchObject({ reason: 'others ask the workload cluster now' })
    expect(condition('Available')?.status).toBe('True')
    expect(held).toHaveLength(1)
    held[0]?.()
    await using
  })
})

it('what the rules do not say is asked one by one, for other authorizers than RBAC tell no rules', async () => {
  putSecret(workload.kubeconfig())
  workload.granted = []
  expect(await said()).toMatch(/^True /)
  expect(workload.asked('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews')).toBe(16)
})

it('a Secret without the label, which core does not see: the command that mends it', async () => {
  putSecret(workload.kubeconfig(), {})
  expect(await said()).toContain(
    'False KubeconfigNotLabelled: Secret c1-kubeconfig lacks the label cluster.x-k8s.io/cluster-name, so Cluster API does not see it. Set the label: kubectl label secret -n default c1-kubeconfig cluster.x-k8s.io/cluster-name=c1.',
  )
})

it('permissions that are missing are named, and asked about again; once all are there, not for ten minutes', async () => {
  putSecret(workload.kubeconfig())
  workload.denied = new Set(['get /', 'patch nodes', 'create pods/eviction'])
  expect(await said()).toContain(
    'False PermissionsMissing: The user of the kubeconfig in Secret c1-kubeconfig may not get /, patch nodes, create pods/eviction.',
  )
  workload.denied.clear()
  expect(await said()).toMatch(/^True /)
  const reviews = () => workload.asked('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews')
  const asked = reviews()
  await pass()
  expect(reviews()).toBe(asked)
})

it('what an API server says of itself is cut short', async () => {
  putSecret(workload.kubeconfig())
  workload.instead = (_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: 'Status', message: `broken\n${'x'.repeat(5000)}`, code: 500 }))
  }
  const text = await said()
  expect(text).toMatch(/^False Unreachable: .*: broken x+… /)
  expect(text.length).toBeLessThan(800)
})
