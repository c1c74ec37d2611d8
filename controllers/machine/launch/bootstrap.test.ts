import { expect, it } from 'vitest'
import { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const data = { value: Buffer.from('apiVersion: v1').toString('base64') }
const type = 'cluster.x-k8s.io/secret'
const labels = { 'cluster.x-k8s.io/cluster-name': 'c1' }

it.each([
  ['the kubeconfig of the Cluster', { metadata: { namespace: 'default', name: 'c1-kubeconfig', labels }, type, data }],
  ['a Secret that is for something else', { metadata: { namespace: 'default', name: 'db' }, type: 'Opaque', data }],
])('%s reaches no instance: nothing is created, and the condition says why', async (_, secret) => {
  const world = new MachineWorld()
  world.apiserver.put('Secret', secret)
  const machine = world.apiserver.get('Machine', 'default/m1') as { spec: object } | undefined
  const bootstrap = { dataSecretName: secret.metadata.name }
  world.apiserver.put('Machine', { ...machine, spec: { ...machine?.spec, bootstrap } } as never)
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.cloud.count('create')).toBe(0)
  expect(world.attempt).toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'WaitingForBootstrapData' })
  expect(world.ready?.message).toContain(`Secret ${secret.metadata.name} `)
})
