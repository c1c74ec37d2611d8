import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createClient } from '../../controllers/runtime/client/client.ts'
import { loadConnection } from '../../controllers/runtime/client/kubeconfig.ts'
import { startLab, type Lab } from './lab.ts'
import type { Manifest } from './objects.ts'
import { manager } from './install.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ cluster: inject('cluster') })
})
afterAll(() => lab.stop())

const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }

/** A MachineDeployment with the least that Cluster API asks for. */
function machineDeployment(namespace: string, clusterName: string): Manifest {
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'workers' }
  const spec = { clusterName, bootstrap: { dataSecretName: 'bootstrap' }, infrastructureRef }
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'workers', namespace },
    spec: { clusterName: 'c1', replicas: 0, template: { spec } },
  } as Manifest
}

describe('the real core', () => {
  test('defaults what users leave out', async () => {
    const namespace = await lab.namespace('defaulting')
    const [applied] = await lab.apply([machineDeployment(namespace, 'c1')])
    expect(applied).toMatchObject({
      spec: { selector: { matchLabels: { 'cluster.x-k8s.io/deployment-name': 'workers' } } },
    })
  })

  test('refuses what cannot be', async () => {
    const namespace = await lab.namespace('refusing')
    const twoClusters = [machineDeployment(namespace, 'another')]
    await expect(lab.apply(twoClusters)).rejects.toThrow(
      'spec.clusterName and spec.template.spec.clusterName must be set to the same value',
    )
  })
})

test('a lab that shares its management cluster starts no controllers there', async () => {
  const start = startLab({ cluster: inject('cluster'), kubeControllers: {} })
  await expect(start).rejects.toThrow('A shared cluster gets no controllers; start a lab of its own.')
})

test.each(['cluster.x-k8s.io/v1beta2', 'spot.cluster.x-k8s.io/v1alpha1'])('%s is served', async (apiVersion) => {
  const answer = JSON.parse(await lab.client.raw(`/apis/${apiVersion}`, lab.ctx)) as { groupVersion: string }
  expect(answer.groupVersion).toBe(apiVersion)
})

test("the manager's user may not do what config/ does not grant", async () => {
  const connection = await loadConnection(lab.cluster.managerKubeconfig, lab.ctx)
  await using stack = new AsyncDisposableStack()
  const client = createClient(connection, { userAgent: 'test' })
  stack.defer(() => client.close())

  await expect(client.create(namespaces, { metadata: { name: 'mine' } }, lab.ctx)).rejects.toThrow(
    /User "system:serviceaccount:capspot-system:capspot-manager" cannot create resource "namespaces"/,
  )
  await expect(lab.client.get(namespaces, { name: manager.namespace }, lab.ctx)).resolves.toBeDefined()
})
