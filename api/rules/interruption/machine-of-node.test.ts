import { expect, it } from 'vitest'
import type { InfraMachine, Machine, Node } from '../../machine.ts'
import { machineOfNode } from './machine-of-node.ts'

const cluster = { metadata: { namespace: 'team', name: 'c1' } }

interface Wishes {
  name: string
  node?: string
  providerID?: string
  clusterName?: string
  namespace?: string
  /** The infra machine, if it is not its own. */
  infraName?: string
}

/** Machines with their infra machines, as core has made them. */
function world(...wishes: Wishes[]) {
  const infras = new Map<string, InfraMachine>()
  const machines = wishes.map(({ name, node, providerID, clusterName = 'c1', namespace = 'team', infraName }) => {
    const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name, uid: name }
    const infra = {
      apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
      kind: 'AWSMachine',
      metadata: { namespace, name: `${name}-infra`, ownerReferences: [owner] },
      spec: providerID === undefined ? {} : { providerID },
    }
    infras.set(`${namespace}/${name}-infra`, infra)
    return {
      metadata: { namespace, name },
      spec: {
        clusterName,
        infrastructureRef: { apiGroup: 'x', kind: 'AWSMachine', name: infraName ?? `${name}-infra` },
      },
      status: node === undefined ? {} : { nodeRef: { name: node } },
    } satisfies Machine
  })
  const infraOf = ({ metadata, spec }: Machine) =>
    infras.get(`${metadata.namespace}/${spec.infrastructureRef?.name ?? ''}`)
  return { cluster, machines, infraOf }
}

function nodeOf(name: string, providerID?: string): Node {
  return { metadata: { name }, spec: providerID === undefined ? {} : { providerID } }
}

const honest = { name: 'm1', node: 'n1', providerID: 'aws:///a/i-1' }

it('is the Machine to which core has given the Node, if both have the same providerID', () => {
  const found = machineOfNode(nodeOf('n1', 'aws:///a/i-1'), world(honest, { ...honest, name: 'm2', node: 'n2' }))
  expect(found?.machine.metadata.name).toBe('m1')
  expect(found?.infra.metadata.name).toBe('m1-infra')
})

it.each([
  ['claims the providerID of another Machine', nodeOf('n1', 'aws:///a/i-2')],
  ['has the name of none', nodeOf('n3', 'aws:///a/i-1')],
  ['has no providerID', nodeOf('n1')],
  ['has an empty providerID', nodeOf('n1', '')],
])('a Node that %s speaks for nobody', (_, node) => {
  expect(machineOfNode(node, world(honest, { name: 'm2', node: 'n2', providerID: 'aws:///a/i-2' }))).toBeUndefined()
})

it('no Node speaks for a Machine of another Cluster or namespace, though name and providerID fit', () => {
  const node = nodeOf('n1', 'aws:///a/i-1')
  expect(machineOfNode(node, world({ ...honest, clusterName: 'c2' }))).toBeUndefined()
  expect(machineOfNode(node, world({ ...honest, namespace: 'other' }))).toBeUndefined()
})

it('nor for a Machine without nodeRef, or whose instance has no providerID yet', () => {
  const { node: _, ...unborn } = honest
  expect(machineOfNode(nodeOf('n1', 'aws:///a/i-1'), world(unborn))).toBeUndefined()
  const { providerID: __, ...early } = honest
  expect(machineOfNode(nodeOf('n1', 'aws:///a/i-1'), world(early))).toBeUndefined()
  expect(machineOfNode(nodeOf('n1'), world(early))).toBeUndefined()
})

it('two Machines with the same Node and providerID: it speaks for neither', () => {
  const twins = world(honest, { ...honest, name: 'm2' })
  expect(machineOfNode(nodeOf('n1', 'aws:///a/i-1'), twins)).toBeUndefined()
})

it('a Machine that names the infra machine of another neither gets its Node nor takes it away', () => {
  const thief = { name: 'm2', node: 'n1', infraName: 'm1-infra' }
  expect(machineOfNode(nodeOf('n1', 'aws:///a/i-1'), world(thief, honest))?.machine.metadata.name).toBe('m1')
})
