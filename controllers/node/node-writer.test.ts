import { beforeEach, expect, it } from 'vitest'
import { outOfService } from '../../api/labels.ts'
import type { Node, Taint } from '../../api/machine.ts'
import { wantedWhileOff, wantedWhileRunning, type WantedNode } from '../../api/rules/wanted-node.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { NodeWriter } from './node-writer.ts'

const providerID = 'aws:///us-east-1a/i-1'
const cluster = { namespace: 'default', name: 'c1' }
const running = wantedWhileRunning(providerID, { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' })
const off = wantedWhileOff(providerID)
const theirs = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }

let apiserver: FakeApiserver
let writer: NodeWriter

beforeEach(() => {
  apiserver = new FakeApiserver()
  const client = apiserver.client()
  writer = new NodeWriter({ with: (_cluster, use, ctx) => use(client, ctx, {} as never) })
})

function putNode({
  labels = running.labels,
  ...spec
}: {
  labels?: object
  taints?: Taint[]
  providerID?: string
}): void {
  apiserver.put('Node', { metadata: { name: 'n1', labels }, spec: { providerID, ...spec } } as never)
}

const write = (wanted: WantedNode) => writer.write({ cluster, node: 'n1', wanted }, quietCtx())

function writeOff() {
  writer.shownOff(providerID)
  return write(off)
}
const node = () => apiserver.get('Node', 'n1') as Node | undefined
const taints = () => node()?.spec?.taints

it('labels and taints are one write', async () => {
  putNode({ labels: { other: 'label' }, taints: [theirs, outOfService] })
  expect(await write(running)).toBe('done')
  expect(node()?.metadata.labels).toEqual({ other: 'label', ...running.labels })
  expect(taints()).toEqual([theirs])
  expect(apiserver.writes).toHaveLength(1)
})

it('a Node that is another instance by now is left as it is', async () => {
  putNode({ providerID: 'aws:///b/i-2', labels: {}, taints: [outOfService] })
  expect(await write(running)).toBe('done')
  expect(apiserver.writes).toEqual([])
})

it('a Node that has changed since it was read is read again, and the taint of the other writer stays', async () => {
  putNode({ labels: {} })
  const unready = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }
  apiserver.beforeWrite = () => {
    apiserver.beforeWrite = () => {}
    putNode({ labels: {}, taints: [unready] })
  }
  expect(await writeOff()).toBe('done')
  expect(taints()).toEqual([unready, outOfService])
  expect(apiserver.writes).toHaveLength(1)
})

it('a Node that becomes another instance between the read and the write is left as it is', async () => {
  putNode({})
  apiserver.beforeWrite = () => putNode({ providerID: 'aws:///b/i-2' })
  expect(await writeOff()).toBe('done')
  expect(taints()).toBeUndefined()
})

it('a Node that changes all the time is written later', async () => {
  putNode({ labels: {} })
  apiserver.beforeWrite = () => putNode({ labels: {} })
  await expect(write(running)).rejects.toMatchObject({ status: 409, reason: 'Conflict' })
  apiserver.beforeWrite = () => {}
  expect(await write(running)).toBe('done')
  expect(node()?.metadata.labels).toEqual(running.labels)
})

it('a Node is read once, and again after its instance was off', async () => {
  putNode({})
  await write(running)
  putNode({ taints: [outOfService] })
  await write(running)
  expect(taints(), 'the Node is not read').toEqual([outOfService])
  writer.forget(providerID)
  await write(running)
  expect(taints()).toEqual([])
})

it('a taint that we wrote is removed when the instance runs, without a word that it was off', async () => {
  putNode({})
  await write(running)
  await writeOff()
  expect(taints()).toEqual([outOfService])
  await write(running)
  expect(taints()).toEqual([])
})

it('a Node that is not there is absent', async () => {
  expect(await write(running)).toBe('absent')
  expect(await writeOff()).toBe('absent')
})

it('no Node is taken out of service before the cloud has shown its instance as off, nor after that ran again', async () => {
  putNode({})
  expect(await write(off)).toBe('unproven')
  writer.shownOff('aws:///us-east-1a/i-2')
  expect(await write(off)).toBe('unproven')
  writer.shownOff(providerID)
  await write(running)
  expect(await write(off)).toBe('unproven')
  expect(taints()).toBeUndefined()
  expect(await writeOff()).toBe('done')
  expect(taints()).toEqual([outOfService])
})
