import { expect, it } from 'vitest'
import { spotKind } from '../kinds.ts'
import { annotations } from '../labels.ts'
import type { Machine } from '../machine.ts'
import { obstacleToLaunch, type LaunchFacts } from './launchable.ts'

const metadata = { namespace: 'default', name: 'c1' }
const ref = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' }
const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm1' }
const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm1', uid: 'u' }
const whole: LaunchFacts = {
  resource: spotKind('AWSMachine'),
  infra: {
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'AWSMachine',
    metadata: { ...metadata, name: 'm1', ownerReferences: [owner] },
    spec: {},
  },
  machine: {
    metadata: { ...metadata, name: 'm1', uid: 'u' },
    spec: { clusterName: 'c1', bootstrap: { dataSecretName: 's' }, infrastructureRef },
  },
  siblings: [],
  cluster: {
    metadata,
    spec: { infrastructureRef: ref },
    status: { initialization: { infrastructureProvisioned: true } },
  },
  infraCluster: {
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'AWSCluster',
    metadata: { ...metadata, annotations: { [annotations.ownerId]: 'owner-1' } },
    spec: {},
  },
  ownerId: 'owner-1',
}

it('nothing stands in the way when all is there', () => {
  expect(obstacleToLaunch(whole)).toBeUndefined()
})

it.each([
  ['no Machine', { machine: undefined }, 'WaitingForMachine', /Machine that owns/],
  ['no Cluster', { cluster: undefined }, 'WaitingForCluster', /Cluster c1/],
  [
    'a Machine that refers to another',
    { infra: { ...whole.infra, metadata: { ...whole.infra.metadata, name: 'm1-copy' } } },
    'OwnershipConflict',
    /names AWSMachine m1 of .*, not this AWSMachine m1-copy/,
  ],
  [
    'an owner reference to an earlier Machine of that name',
    { machine: { ...(whole.machine as Machine), metadata: { ...metadata, name: 'm1', uid: 'u2' } } },
    'OwnershipConflict',
    /uid of an earlier Machine m1/,
  ],
  [
    "a Cluster of another provider's infrastructure",
    {
      infraCluster: undefined,
      cluster: { metadata, spec: { infrastructureRef: { ...ref, apiGroup: 'infrastructure.cluster.x-k8s.io' } } },
    },
    'WaitingForCluster',
    /has the API group infrastructure\.cluster\.x-k8s\.io\. Set spec\.infrastructureRef/,
  ],
  ['no AWSCluster', { infraCluster: undefined }, 'WaitingForCluster', /AWSCluster c1/],
  [
    'a Cluster without infrastructureRef',
    { infraCluster: undefined, cluster: { metadata, spec: {} } },
    'WaitingForCluster',
    /spec\.infrastructureRef/,
  ],
  [
    'infrastructure not provisioned',
    { cluster: { metadata, spec: { infrastructureRef: ref } } },
    'WaitingForClusterInfrastructure',
    /infrastructure of Cluster c1/,
  ],
  ['no owner id', { ownerId: undefined }, 'WaitingForClusterInfrastructure', /Cluster c1 has an owner id/],
  ['another owner id than its copy', { ownerId: 'owner-2' }, 'WaitingForClusterInfrastructure', /its owner id back/],
  [
    'no bootstrap data',
    { machine: { metadata: { ...metadata, name: 'm1', uid: 'u' }, spec: { clusterName: 'c1', infrastructureRef } } },
    'WaitingForBootstrapData',
    /spec\.bootstrap\.dataSecretName of Machine m1/,
  ],
] as const)('%s: says what is waited for', (_, lack, reason, message) => {
  const obstacle = obstacleToLaunch({ ...whole, ...lack })
  expect(obstacle?.reason).toBe(reason)
  expect(obstacle?.message).toMatch(message)
})
