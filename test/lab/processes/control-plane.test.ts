import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createClient } from '../../../controllers/runtime/client/client.ts'
import { loadConnection } from '../../../controllers/runtime/client/kubeconfig.ts'
import type { ControlPlaneFaults } from './control-plane.ts'
import { eventually } from '../eventually.ts'
import { startLab, type Lab } from '../lab.ts'
import { programsOf } from '../reaper/programs.ts'

const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }
const unreachable = { status: 0 }

let lab: Lab
let controlPlane: ControlPlaneFaults
beforeAll(async () => {
  lab = await startLab({ core: false })
  if (!lab.controlPlane) throw new Error('A lab that starts its own management cluster has its control plane.')
  ;({ controlPlane } = lab)
})
afterAll(() => lab.stop())

const find = (name: string) => lab.client.get(namespaces, { name }, lab.ctx)

test('a lab that shares its management cluster cannot hurt it', async () => {
  await using sharing = await startLab({ cluster: inject('cluster') })
  expect(sharing.controlPlane).toBeUndefined()
})

test('kube-apiserver comes back where it was, and whoever had access has it still', async () => {
  const name = await lab.namespace('lasting')
  await controlPlane.killApiserver()
  await expect(find(name)).rejects.toMatchObject(unreachable)
  await expect(controlPlane.killApiserver()).rejects.toThrow('kube-apiserver does not run; start it first.')

  await controlPlane.startApiserver()
  await expect(find(name)).resolves.toBeDefined()
  const connection = await loadConnection(lab.cluster.kubeconfig, lab.ctx)
  await using stack = new AsyncDisposableStack()
  const another = createClient(connection, { userAgent: 'test' })
  stack.defer(() => another.close())
  await expect(another.get(namespaces, { name }, lab.ctx)).resolves.toBeDefined()
  await expect(controlPlane.startApiserver()).rejects.toThrow('kube-apiserver runs already')
})

test('without etcd kube-apiserver goes on and knows nothing; with it back everything is there', async () => {
  const name = await lab.namespace('lasting')
  await controlPlane.killEtcd()
  const isReady = () => lab.client.raw('/readyz', lab.ctx)
  await eventually('it says so', () => expect(isReady()).rejects.toMatchObject({ status: 500 }), { timeoutMs: 15_000 })
  await expect(lab.client.raw('/livez?exclude=etcd', lab.ctx)).resolves.toBe('ok')

  await controlPlane.startEtcd()
  await eventually('the namespace is found again', () => find(name), { timeoutMs: 15_000 })
  await lab.namespace('writable')
})

test('a copy of etcd is whole, and what came after it never was, as often as it is put back', async () => {
  const before = await lab.namespace('before')
  const copy = await controlPlane.snapshotEtcd()
  for (let time = 1; time <= 2; time++) {
    const after = await lab.namespace('after')
    await lab.client.delete(namespaces, { name: before }, {}, lab.ctx)

    await controlPlane.restoreEtcd(copy)
    expect(await find(before)).not.toHaveProperty('metadata.deletionTimestamp')
    await expect(find(after)).rejects.toMatchObject({ status: 404 })
    await lab.namespace('writable')
  }
})

test('a copy is put back whatever runs', async () => {
  const name = await lab.namespace('before')
  const copy = await controlPlane.snapshotEtcd()
  await controlPlane.killApiserver()
  await controlPlane.killEtcd()
  await controlPlane.restoreEtcd(copy)
  await expect(find(name)).resolves.toBeDefined()
})

test('nothing is left of a lab whose servers were started again, and one of them killed again', async () => {
  const own = await startLab({ core: false })
  const { folder, controlPlane: hurting } = own
  await hurting?.restoreEtcd(await hurting.snapshotEtcd())
  await hurting?.killEtcd()
  expect((await programsOf(folder)).length).toBe(1)

  await own.stop()
  expect(await programsOf(folder)).toEqual([])
  expect(existsSync(folder)).toBe(false)
})
