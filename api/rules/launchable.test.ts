import { expect, it } from 'vitest'
import { obstacleToLaunch, type LaunchFacts } from './launchable.ts'

const metadata = { namespace: 'default', name: 'c1' }
const ref = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' }
const whole: LaunchFacts = {
  machine: {
    metadata: { ...metadata, name: 'm1' },
    spec: { clusterName: 'c1', bootstrap: { dataSecretName: 's' } },
  },
  cluster: {
    metadata,
    spec: { infrastructureRef: ref },
    status: { initialization: { infrastructureProvisioned: true } },
  },
  infraCluster: { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1', kind: 'AWSCluster', metadata, spec: {} },
  ownerId: 'owner-1',
}

it('nothing stands in the way when all is there', () => {
  expect(obstacleToLaunch(whole)).toBeUndefined()
})

it.each([
  ['no Machine', { machine: undefined }, 'WaitingForMachine', /Machine that owns/],
  ['no Cluster', { cluster: undefined }, 'WaitingForCluster', /Cluster c1/],
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
  ['no owner id', { ownerId: undefined }, 'WaitingForClusterInfrastructure', /provisioned/],
  [
    'no bootstrap data',
    { machine: { metadata: { ...metadata, name: 'm1' }, spec: { clusterName: 'c1' } } },
    'WaitingForBootstrapData',
    /spec\.bootstrap\.dataSecretName of Machine m1/,
  ],
] as const)('%s: says what is waited for', (_, lack, reason, message) => {
  const obstacle = obstacleToLaunch({ ...whole, ...lack })
  expect(obstacle?.reason).toBe(reason)
  expect(obstacle?.message).toMatch(message)
})
