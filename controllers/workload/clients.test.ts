import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../runtime/client/api-error.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { kubeconfigOf, WorkloadStub } from '../../test/support/fakes/workload-stub.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { KubeconfigNotSupported } from '../runtime/client/kubeconfig.ts'
import { WorkloadClients } from './clients.ts'
import { KubeconfigMissing, KubeconfigUnread } from './secret.ts'
import { WorkloadBusy } from './turns.ts'

const cluster = { namespace: 'default', name: 'c1' }
const clock = new FakeClock()
const ctx = quietCtx({ clock })
let apiserver: FakeApiserver

beforeEach(() => {
  apiserver = new FakeApiserver()
})

function write(data: Record<string, string>): void {
  apiserver.put('Secret', { metadata: { namespace: 'default', name: 'c1-kubeconfig' }, data } as never)
}

async function slowly(ms: number, fails: boolean): Promise<string> {
  await clock.sleep(ms, ctx.signal)
  if (fails) throw new ApiError({ status: 0, reason: 'Timeout', message: 'no answer' })
  return 'used'
}

function started(): { clients: WorkloadClients; version: () => Promise<string> } {
  const clients = new WorkloadClients(apiserver.client())
  return { clients, version: () => clients.with(cluster, (client) => client.raw('/version', ctx), ctx) }
}

it('says which Secret is missing, or what is missing in it, and where it is said how to make one', async () => {
  await expect(started().version()).rejects.toThrow(KubeconfigMissing)
  await expect(started().version()).rejects.toThrow(/Secret c1-kubeconfig does not exist; .* docs\/workload-access\.md/)
  write({})
  await expect(started().version()).rejects.toThrow('Secret c1-kubeconfig has no key "value"')
})

it('does not run what a kubeconfig names, and reads the Secret again once it had time to be mended', async () => {
  await using workload = await WorkloadStub.start()
  write(workload.kubeconfig({ exec: { command: 'touch' } }))
  const { clients, version } = started()
  await expect(version()).rejects.toThrow(KubeconfigNotSupported)
  write(workload.kubeconfig())
  await expect(version()).rejects.toThrow(KubeconfigNotSupported)
  await clock.advance(5_000)
  expect(await version()).toContain('gitVersion')
  await clients.close()
})

it('callers that come together share one client, and closing leaves none open', async () => {
  write(kubeconfigOf({ server: 'https://127.0.0.1:1' }, { token: 't' }))
  const { clients } = started()
  const seen = await Promise.all([1, 2, 3].map(() => clients.with(cluster, (client) => Promise.resolve(client), ctx)))
  expect(new Set(seen).size).toBe(1)
  await clients.close()
  await expect(seen[0]?.raw('/version', ctx)).rejects.toThrow()
})

it('a token that was rotated is used at once: nobody hears of the refusal', async () => {
  await using workload = await WorkloadStub.start()
  write(workload.kubeconfig())
  const { clients, version } = started()
  await version()
  workload.token = 'rotated'
  write(workload.kubeconfig())
  expect(await version()).toContain('gitVersion')
  await clients.close()
})

it('a Secret that leads elsewhere now is seen within a minute, although the old place still serves', async () => {
  await using before = await WorkloadStub.start()
  await using after = await WorkloadStub.start()
  write(before.kubeconfig())
  const { clients, version } = started()
  await version()
  write(after.kubeconfig())
  await clock.advance(60_000)
  await version()
  expect([before.asked('/version'), after.asked('/version')]).toEqual([1, 1])
  await clients.close()
})

it('so is a Secret that was deleted', async () => {
  await using workload = await WorkloadStub.start()
  write(workload.kubeconfig())
  const { clients, version } = started()
  await version()
  apiserver.objects.clear()
  await clock.advance(60_000)
  await expect(version()).rejects.toThrow(KubeconfigMissing)
  await clients.close()
})

it('while the management cluster hands no Secret out, what was read before serves; nothing is said of the workload', async () => {
  await using workload = await WorkloadStub.start()
  write(workload.kubeconfig())
  let isAway = false
  const management = apiserver.client()
  const read: KubeClient['get'] = (...asked) => {
    const away = new ApiError({ status: 503, reason: 'ServiceUnavailable', message: 'away' })
    return isAway ? Promise.reject(away) : management.get(...asked)
  }
  const clients = new WorkloadClients({ ...management, get: read })
  const version = () => clients.with(cluster, (client) => client.raw('/version', ctx), ctx)
  await version()
  isAway = true
  await clock.advance(120_000)
  expect(await version()).toContain('gitVersion')
  await clients.close()
  await expect(version()).rejects.toThrow(KubeconfigUnread)
  isAway = false
  expect(await version()).toContain('gitVersion')
  await clients.close()
})

it('a workload cluster that is away is asked by one caller at a time, and the others are told so at once', async () => {
  await using workload = await WorkloadStub.start()
  write(workload.kubeconfig())
  const { clients, version } = started()
  const silent: (() => void)[] = []
  workload.instead = ({ socket }) => void silent.push(() => socket.destroy())
  const first = version()
  await expect.poll(() => silent.length).toBe(1)
  await clock.advance(10_000)
  await expect(first).rejects.toThrow('No answer to GET /version within 10 s.')
  await expect(version()).rejects.toThrow('No answer to GET /version')
  expect(workload.asked('/version')).toBe(1)

  await clock.advance(5_000)
  const trial = version()
  await expect.poll(() => silent.length).toBe(2)
  const others = await Promise.allSettled([version(), version(), version()])
  expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(workload.asked('/version')).toBe(2)
  await clock.advance(10_000)
  await expect(trial).rejects.toThrow('No answer to GET /version')

  workload.instead = undefined
  await clock.advance(5_000)
  expect(await version()).toContain('gitVersion')
  expect(await Promise.all([version(), version()])).toHaveLength(2)
  await clients.close()
})

it('a caller that is sent away after a rest tries nothing, so the next one finds no failure that nobody had', async () => {
  const data = kubeconfigOf({ server: 'https://127.0.0.1:1' }, { token: 't' })
  const { clients } = started()
  const names = ['c1', 'c2', 'c3', 'c4', 'c5']
  for (const name of names)
    apiserver.put('Secret', { metadata: { namespace: 'default', name: `${name}-kubeconfig` }, data } as never)
  const use = (name: string, ms: number, fails: boolean) =>
    clients.with({ namespace: 'default', name }, () => slowly(ms, fails), ctx).catch((thrown: Error) => thrown)
  const slow = names.map((name) => use(name, 300, name === 'c5'))
  await clock.advance(300)
  await Promise.all(slow)
  await clock.advance(5_000)
  const rest = names.slice(0, 4).map((name) => use(name, 1_000, false))
  await clock.advance(0)
  expect(await use('c5', 0, false)).toBeInstanceOf(WorkloadBusy)
  await clock.advance(1_000)
  await Promise.all(rest)
  const next = use('c5', 10, false)
  await clock.advance(10)
  expect(await next).toBe('used')
  await clients.close()
})

it('C1: a kubeconfig that does not serve is read once, and again when its Secret has changed', async () => {
  write(kubeconfigOf({ server: 'https://127.0.0.1:1' }, { exec: { command: 'touch' } }))
  const { clients, version } = started()
  const complaint = async (): Promise<unknown> => version().catch((thrown: unknown) => thrown)
  const first = await complaint()
  expect(first).toBeInstanceOf(KubeconfigNotSupported)
  await clock.advance(5_000)
  // Reading it again makes a new error.
  expect(await complaint()).toBe(first)
  write(kubeconfigOf({ server: 'https://127.0.0.1:1' }, { username: 'x' }))
  await clock.advance(5_000)
  expect(await complaint()).toMatchObject({ message: expect.stringContaining('username') as string })
  await clients.close()
})

describe('C2: a workload cluster that says more than it was asked', () => {
  it.each([
    { path: '/version', kib: 64 },
    { path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', kib: 64 },
    { path: '/api/v1/nodes/n1', kib: 4_096 },
  ])('is cut off at $kib KiB of $path', async ({ path, kib }) => {
    await using workload = await WorkloadStub.start()
    write(workload.kubeconfig())
    const { clients } = started()
    let bytes = kib * 1_024
    workload.instead = (_request, response) => response.end('x'.repeat(bytes))
    const ask = () => clients.with(cluster, (client) => client.raw(path, ctx), ctx)
    expect(await ask()).toHaveLength(bytes)
    bytes++
    await expect(ask()).rejects.toMatchObject({
      reason: 'TooLarge',
      message: expect.stringContaining(`${kib} KiB`) as string,
    })
    await clients.close()
  })

  it('is asked one thing at a time', async () => {
    await using workload = await WorkloadStub.start()
    write(workload.kubeconfig())
    const { clients } = started()
    let [underWay, most] = [0, 0]
    const ask = () =>
      clients.with(
        cluster,
        async (client) => {
          most = Math.max(most, ++underWay)
          await client.raw('/version', ctx)
          underWay--
        },
        ctx,
      )
    await Promise.all([1, 2, 3, 4, 5].map(ask))
    expect(most).toBe(1)
    await clients.close()
  })
})

it('what the workload cluster itself refuses stops nobody else', async () => {
  await using workload = await WorkloadStub.start()
  write(workload.kubeconfig())
  const { clients, version } = started()
  const none = clients.with(cluster, (client) => client.raw('/none', ctx), ctx)
  await expect(none).rejects.toMatchObject({ status: 404 })
  expect(await version()).toContain('gitVersion')
  await clients.close()
})

it('a cluster of which nobody has asked for an hour is forgotten', async () => {
  await using workload = await WorkloadStub.start()
  write(workload.kubeconfig())
  const { clients } = started()
  const client = await clients.with(cluster, (one) => Promise.resolve(one), ctx)
  await clock.advance(3_600_001)
  await expect(clients.with({ ...cluster, name: 'c2' }, () => Promise.resolve(), ctx)).rejects.toThrow('c2-kubeconfig')
  await expect(client.raw('/version', ctx)).rejects.toThrow()
  await clients.close()
})
