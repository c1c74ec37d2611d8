import { beforeEach, expect, it } from 'vitest'
import { outOfService } from '../../api/labels.ts'
import type { Node, Taint } from '../../api/machine.ts'
import { wantedWhileOff, wantedWhileRunning, type WantedNode } from '../../api/rules/wanted-node.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
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

const nameOf = (n: number) => `n${n}`
const idOf = (n: number) => `aws:///us-east-1a/i-${n}`
const wantedOf = (n: number) => ({ ...running, providerID: idOf(n), isInterrupted: true })
const putNodes = (count: number) => {
  for (let n = 1; n <= count; n++)
    apiserver.put('Node', {
      metadata: { name: nameOf(n), labels: running.labels },
      spec: { providerID: idOf(n) },
    } as never)
}
const isTainted = (n: number) => (apiserver.get('Node', nameOf(n)) as Node | undefined)?.spec?.taints?.length === 1

/** A writer whose cluster is used in turns: each one waits for the last. */
function inTurns() {
  const client = apiserver.client()
  const turns: (() => void)[] = []
  const waiting = new NodeWriter({
    with: async (_cluster, use, ctx) => {
      await new Promise<void>((begin) => turns.push(begin))
      return use(client, ctx, {} as never)
    },
  })
  const want = (n: number, wanted = wantedOf(n), ctx = quietCtx()) =>
    waiting.write({ cluster, node: nameOf(n), wanted }, ctx)
  return { turns, waiting, want }
}

it('a turn writes all Nodes that others want written, and they find it done', async () => {
  putNodes(100)
  const { turns, want } = inTurns()
  const first = want(1)
  for (let n = 2; n <= 100; n++) await expect(want(n)).rejects.toMatchObject({ name: 'WorkloadBusy' })
  turns.shift()?.()
  expect(await first).toBe('done')
  expect(Array.from({ length: 100 }, (_, i) => isTainted(i + 1))).not.toContain(false)
  const reads = apiserver.writes.length
  expect(await want(100)).toBe('done')
  expect(apiserver.writes).toHaveLength(reads)
})

it('of two wishes for one instance the later one counts', async () => {
  putNodes(2)
  const { turns, want } = inTurns()
  const first = want(1)
  await expect(want(2)).rejects.toMatchObject({ name: 'WorkloadBusy' })
  await expect(want(2, { ...wantedOf(2), isInterrupted: false })).rejects.toMatchObject({ name: 'WorkloadBusy' })
  turns.shift()?.()
  await first
  expect([isTainted(1), isTainted(2)]).toEqual([true, false])
})

it('what is wanted while the Node is being written is written after that', async () => {
  putNodes(2)
  const { turns, want } = inTurns()
  const first = want(1)
  await expect(want(2)).rejects.toMatchObject({ name: 'WorkloadBusy' })
  const late: Promise<unknown>[] = []
  apiserver.beforeWrite = () => {
    if (!isTainted(1)) return
    apiserver.beforeWrite = () => {}
    late.push(want(2, { ...wantedOf(2), isInterrupted: false }).catch((thrown: Error) => thrown.name))
  }
  turns.shift()?.()
  await first
  expect(await Promise.all(late)).toEqual(['WorkloadBusy'])
  expect([isTainted(1), isTainted(2)]).toEqual([true, false])
})

it('a wish of which nobody wants anything any more is not written', async () => {
  putNodes(3)
  const { turns, waiting, want } = inTurns()
  const clock = new FakeClock()
  const ctx = quietCtx({ clock })
  const first = want(1, wantedOf(1), ctx)
  for (const n of [2, 3]) await expect(want(n, wantedOf(n), ctx)).rejects.toMatchObject({ name: 'WorkloadBusy' })
  waiting.forget(idOf(2))
  await clock.advance(15_001)
  turns.shift()?.()
  await first
  expect([isTainted(1), isTainted(2), isTainted(3)]).toEqual([true, false, false])
})

it('the failure of another write does not fail the own one', async () => {
  putNodes(2)
  const { turns, want } = inTurns()
  const first = want(1)
  await expect(want(2)).rejects.toMatchObject({ name: 'WorkloadBusy' })
  apiserver.beforeWrite = () => {
    if (isTainted(1)) throw new Error('This one is refused.')
  }
  turns.shift()?.()
  expect(await first).toBe('done')
  apiserver.beforeWrite = () => {}
  const second = want(2)
  turns.shift()?.()
  expect(await second).toBe('done')
  expect(isTainted(2)).toBe(true)
})
