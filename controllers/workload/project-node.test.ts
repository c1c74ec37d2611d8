import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noticeConditions, noticeTaints } from '../../api/rules/interruption/node-notice.ts'
import { projectNode } from './project-node.ts'

const meta = { name: 'n1', uid: 'u1', resourceVersion: '7' }

function projected(raw: object) {
  return projectNode({ metadata: meta, ...raw })
}

it('keeps what somebody reads, and nothing else', () => {
  const spot = { key: 'aws-node-termination-handler/spot-itn', value: 'v', effect: 'NoSchedule', timeAdded: 't' }
  const ours = { key: 'spot.cluster.x-k8s.io/interrupted', effect: 'NoSchedule' }
  const terminating = { type: 'Terminating', status: 'True', reason: 'r', message: 'm', lastTransitionTime: 't' }
  const raw = {
    metadata: {
      ...meta,
      deletionTimestamp: 'd',
      managedFields: [{}],
      annotations: { 'csi.volume/id': 'x' },
      labels: { 'cluster.x-k8s.io/interruptible': '', 'kubernetes.io/os': 'linux' },
    },
    spec: {
      providerID: 'p',
      unschedulable: true,
      podCIDR: '10.0.0.0/24',
      taints: [{ key: 'user', effect: 'NoExecute' }, spot, ours],
    },
    status: {
      conditions: [
        { type: 'MemoryPressure', status: 'False' },
        { ...terminating, lastHeartbeatTime: 'h' },
      ],
      images: [{}],
    },
  }
  expect(projected(raw)).toEqual({
    metadata: { ...meta, deletionTimestamp: 'd', labels: { 'cluster.x-k8s.io/interruptible': '' } },
    spec: { providerID: 'p', unschedulable: true, taints: [spot, ours] },
    status: { conditions: [terminating] },
  })
})

it('a Node that has just registered has a name and nothing else', () => {
  expect(projected({})).toEqual({ metadata: meta, spec: {}, status: {} })
})

it('a text that is too long is dropped whole', () => {
  const conditions = [{ type: 'Terminating', status: 'True', message: 'm'.repeat(513), reason: 'r'.repeat(65) }]
  expect(projected({ spec: { providerID: 'p'.repeat(513) }, status: { conditions } })).toEqual({
    metadata: meta,
    spec: {},
    status: { conditions: [{ type: 'Terminating', status: 'True' }] },
  })
})

it('the largest Node that it keeps has 8 KiB', () => {
  const x = 'x'.repeat(64)
  const conditions = [...noticeConditions].map((type) => {
    return { type, status: x, reason: x, message: 'x'.repeat(512), lastTransitionTime: x }
  })
  const taints = [...noticeTaints].map((key) => ({ key, effect: x, value: x, timeAdded: x }))
  const node = projected({ spec: { providerID: 'p'.repeat(512), taints }, status: { conditions } })
  expect(node.status?.conditions).toEqual(conditions)
  expect(node.spec?.taints).toEqual(taints)
  expect(JSON.stringify(node).length).toBeLessThanOrEqual(8_192)
})

it('whatever a workload cluster sends is a Node, of bounded size', () => {
  const anything = fc.oneof(fc.anything(), fc.constantFrom('x'.repeat(64), 'x'.repeat(512), 'True'))
  const one = fc.record(
    {
      type: fc.constantFrom<unknown>(...noticeConditions, 7),
      status: anything,
      reason: anything,
      message: anything,
      lastTransitionTime: anything,
      key: fc.constantFrom<unknown>(...noticeTaints, 7),
      effect: anything,
      value: anything,
    },
    { requiredKeys: [] },
  )
  const many = fc.oneof(fc.array(one, { maxLength: 60 }), anything)
  const labels = fc.oneof(fc.dictionary(fc.string(), anything), anything)
  fc.assert(
    fc.property(labels, many, many, anything, (given, taints, conditions, providerID) => {
      const node = projected({
        metadata: { ...meta, labels: given },
        spec: { taints, providerID },
        status: { conditions },
      })
      const parts: object[] = [...(node.spec?.taints ?? []), ...(node.status?.conditions ?? [])]
      const isText = parts.every((part) => Object.values(part).every((value) => typeof value === 'string'))
      return isText && JSON.stringify(node).length <= 2 * 8_192
    }),
  )
})
