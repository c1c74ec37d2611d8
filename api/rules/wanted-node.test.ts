import { describe, expect, it } from 'vitest'
import type { Node, Taint } from '../machine.ts'
import { nodePatch, wantedWhileOff, wantedWhileRunning } from './wanted-node.ts'

const providerID = 'aws:///us-east-1a/i-1'
const spot = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' } as const
const running = wantedWhileRunning(providerID, spot)
const off = wantedWhileOff(providerID)
const ours = { key: 'node.kubernetes.io/out-of-service', value: 'spot-instance-off', effect: 'NoExecute' }
const byAPerson = { ...ours, value: 'nodeshutdown' }
const theirs = { key: 'theirs', effect: 'NoSchedule' }

const labels = {
  'spot.cluster.x-k8s.io/capacity-type': 'Spot',
  'spot.cluster.x-k8s.io/instance-type': 'm5.large',
  'spot.cluster.x-k8s.io/pool': 'Spot.m5.large.us-east-1a',
  'cluster.x-k8s.io/interruptible': '',
}

function nodeWith(taints: Taint[], carried: Record<string, string> = {}): Node {
  const metadata = { name: 'n1', resourceVersion: '7', labels: carried }
  return { apiVersion: 'v1', kind: 'Node', metadata, spec: { providerID, taints } }
}

const interrupted = { key: 'spot.cluster.x-k8s.io/interrupted', value: 'notice', effect: 'NoSchedule' }

describe('after a notice', () => {
  const noticed = wantedWhileRunning(providerID, spot, { isInterrupted: true, isDraining: false })
  const draining = wantedWhileRunning(providerID, spot, { isInterrupted: true, isDraining: true })

  it('no further Pods are placed there', () => {
    expect(nodePatch(nodeWith([theirs], labels), noticed)?.spec).toEqual({ taints: [theirs, interrupted] })
    expect(nodePatch(nodeWith([interrupted], labels), noticed)).toBeUndefined()
  })

  it('stays behind its load balancers until it drains', () => {
    expect(noticed.labels).toEqual(labels)
    expect(draining.labels).toEqual({ ...labels, 'node.kubernetes.io/exclude-from-external-load-balancers': '' })
  })

  it('that is withdrawn, our taint goes, and that of somebody else stays', () => {
    const byHand = { ...interrupted, value: 'by-hand' }
    expect(nodePatch(nodeWith([interrupted], labels), running)?.spec).toEqual({ taints: [] })
    expect(nodePatch(nodeWith([byHand], labels), running)).toBeUndefined()
  })

  it('an instance that is off keeps what the notice left', () => {
    expect(nodePatch(nodeWith([interrupted]), off)?.spec).toEqual({ taints: [interrupted, ours] })
  })
})

describe('while the instance runs', () => {
  it('labels and the taint are changed in one patch of the Node that was read', () => {
    expect(nodePatch(nodeWith([theirs, ours], { other: 'label' }), running)).toEqual({
      metadata: { resourceVersion: '7', labels },
      spec: { taints: [theirs] },
    })
  })

  it('a patch of the labels names no taints, which others may be writing', () => {
    expect(nodePatch(nodeWith([theirs, byAPerson]), running)).toEqual({ metadata: { resourceVersion: '7', labels } })
  })

  it('a patch of the taints names no labels', () => {
    const carried = { ...labels, other: 'label' }
    expect(nodePatch(nodeWith([ours], carried), running)).toEqual({
      metadata: { resourceVersion: '7' },
      spec: { taints: [] },
    })
  })

  it('nothing is changed when nothing is missing', () => {
    expect(nodePatch(nodeWith([theirs, byAPerson], labels), running)).toBeUndefined()
  })

  it('a label with another value is missing', () => {
    const carried = { ...labels, 'spot.cluster.x-k8s.io/instance-type': 'm5.xlarge' }
    expect(nodePatch(nodeWith([], carried), running)?.metadata.labels).toEqual(labels)
  })

  it('only what is bought as spot is interruptible', () => {
    for (const capacityType of ['OnDemand', 'Reserved'] as const) {
      const { labels: wanted } = wantedWhileRunning(providerID, { ...spot, capacityType })
      expect(wanted).not.toHaveProperty('cluster.x-k8s.io/interruptible')
    }
  })

  it('the pool of an instance without a zone ends with a letter or a digit', () => {
    const { labels: wanted } = wantedWhileRunning(providerID, { ...spot, zone: '' })
    expect(wanted['spot.cluster.x-k8s.io/pool']).toBe('Spot.m5.large')
  })
})

describe('while the instance is off', () => {
  it('the Node is out of service, beside what others have put on it', () => {
    expect(nodePatch(nodeWith([theirs]), off)).toEqual({
      metadata: { resourceVersion: '7' },
      spec: { taints: [theirs, ours] },
    })
  })

  it.each([ours, byAPerson])('one out-of-service taint is enough, whoever set it: %o', (taint) => {
    expect(nodePatch(nodeWith([taint]), off)).toBeUndefined()
  })
})

it.each([running, off])('a Node that is another instance is not patched', (wanted) => {
  const other = nodeWith([ours])
  expect(nodePatch({ ...other, spec: { ...other.spec, providerID: 'aws:///b/i-2' } }, wanted)).toBeUndefined()
  expect(nodePatch({ ...other, spec: {} }, wanted)).toBeUndefined()
})
