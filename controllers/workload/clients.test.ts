import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { FakeApiserver } from '../../test/fake-apiserver.ts'
import { quietCtx } from '../../test/quiet-ctx.ts'
import { KubeconfigNotSupported } from '../runtime/kubeconfig.ts'
import { KubeconfigMissing, WorkloadClients } from './clients.ts'

const cluster = { namespace: 'default', name: 'c1' }
const ctx = quietCtx()

function world(kubeconfig?: object) {
  const apiserver = new FakeApiserver()
  if (kubeconfig) {
    const value = Buffer.from(JSON.stringify(kubeconfig)).toString('base64')
    apiserver.put('Secret', { metadata: { namespace: 'default', name: 'c1-kubeconfig' }, data: { value } } as never)
  }
  return { apiserver, clients: new WorkloadClients(apiserver.client()) }
}

function kubeconfigOf(server: string, user: object = { token: 't' }) {
  return {
    'current-context': 'x',
    clusters: [{ name: 'x', cluster: { server } }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    users: [{ name: 'x', user }],
  }
}

it('says which Secret is missing', async () => {
  const { clients } = world()
  const call = clients.with(cluster, () => Promise.resolve('used'), ctx)
  await expect(call).rejects.toThrow(KubeconfigMissing)
  await expect(call).rejects.toThrow('Secret c1-kubeconfig does not exist')
})

it('does not run what a kubeconfig names, and reads the Secret again once it was mended', async () => {
  const { apiserver, clients } = world(kubeconfigOf('https://127.0.0.1:1', { exec: { command: 'touch' } }))
  const use = () => clients.with(cluster, () => Promise.resolve('used'), ctx)
  await expect(use()).rejects.toThrow(KubeconfigNotSupported)
  const value = Buffer.from(JSON.stringify(kubeconfigOf('https://127.0.0.1:1'))).toString('base64')
  apiserver.put('Secret', { metadata: { namespace: 'default', name: 'c1-kubeconfig' }, data: { value } } as never)
  expect(await use()).toBe('used')
  await clients.close()
})

it('callers that come together share one client, and closing leaves none open', async () => {
  const { clients } = world(kubeconfigOf('https://127.0.0.1:1'))
  const seen = await Promise.all([1, 2, 3].map(() => clients.with(cluster, (client) => Promise.resolve(client), ctx)))
  expect(new Set(seen).size).toBe(1)
  await clients.close()
  await expect(seen[0]?.raw('/version', ctx)).rejects.toThrow()
})

it('after an API server that does not answer, the next use opens anew', async () => {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const { clients } = world(kubeconfigOf(`https://127.0.0.1:${port}`))
  const first = await clients.with(cluster, (client) => Promise.resolve(client), ctx)
  await expect(clients.with(cluster, (client) => client.raw('/version', ctx), ctx)).rejects.toMatchObject({ status: 0 })
  expect(await clients.with(cluster, (client) => Promise.resolve(client), ctx)).not.toBe(first)
  await clients.close()
})
