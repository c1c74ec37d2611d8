import { expect, it } from 'vitest'
import { secretObstacle } from './bootstrap-secret.ts'

const label = { 'cluster.x-k8s.io/cluster-name': 'c1' }
const owner = { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfig', name: 'm1', uid: 'u' }
const controlPlane = {
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
  kind: 'KThreesControlPlane',
  name: 'c1',
  uid: 'u2',
}
const type = 'cluster.x-k8s.io/secret'

it.each([
  ['a bootstrap provider has made', { metadata: { name: 'm1', labels: label, ownerReferences: [owner] }, type }],
  ['a bootstrap provider has made without a label', { metadata: { name: 'm1', ownerReferences: [owner] } }],
  [
    'a bootstrap provider has made for a Machine in South America',
    { metadata: { name: 'm-sa', ownerReferences: [owner] } },
  ],
  ['a user has made and labelled', { metadata: { name: 'join', labels: label }, type: 'Opaque' }],
  ['a user has made with the type of core', { metadata: { name: 'join' }, type }],
])('takes what %s', (_, secret) => {
  expect(secretObstacle(secret, 'c1')).toBeUndefined()
})

it.each(['kubeconfig', 'ca', 'etcd', 'proxy', 'sa', 'apiserver-etcd-client'])(
  'never takes the %s of a cluster, of this or of another, however it is labelled',
  (purpose) => {
    for (const cluster of ['c1', 'c2']) {
      const secret = { metadata: { name: `${cluster}-${purpose}`, labels: label }, type }
      expect(secretObstacle(secret, 'c1')).toContain(`is a ${purpose} of a cluster by its name`)
    }
  },
)

it('takes no kubeconfig, whatever its owner', () => {
  const secret = { metadata: { name: 'c1-kubeconfig', labels: label, ownerReferences: [owner] }, type }
  expect(secretObstacle(secret, 'c1')).toContain('no instance gets it')
})

it.each([
  [
    'says nothing of what it is for',
    { metadata: { name: 'db' }, type: 'Opaque' },
    'has no label cluster.x-k8s.io/cluster-name=c1',
  ],
  [
    'is of another Cluster',
    { metadata: { name: 'join', labels: { 'cluster.x-k8s.io/cluster-name': 'c2' } }, type },
    'has label cluster.x-k8s.io/cluster-name=c2, not cluster.x-k8s.io/cluster-name=c1',
  ],
  [
    'a bootstrap provider has made for another Cluster',
    { metadata: { name: 'm1', labels: { 'cluster.x-k8s.io/cluster-name': 'c2' }, ownerReferences: [owner] }, type },
    'has label cluster.x-k8s.io/cluster-name=c2, not cluster.x-k8s.io/cluster-name=c1',
  ],
  [
    'a control plane keeps for itself, such as the token that makes a server',
    { metadata: { name: 'c1-token', labels: label, ownerReferences: [controlPlane] }, type },
    'belongs to KThreesControlPlane c1',
  ],
  [
    'belongs to somebody else',
    { metadata: { name: 'x', ownerReferences: [{ ...owner, apiVersion: 'bootstrap.example.com/v1' }] } },
    'has no label',
  ],
])('takes none that %s', (_, secret, says) => {
  expect(secretObstacle(secret, 'c1')).toContain(says)
})
