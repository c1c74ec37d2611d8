import { expect, test } from 'vitest'
import { keptNodes } from '../kit/instances/kept-nodes.ts'
import { startIbm } from './fixture.ts'
import { standardWorld } from './world.ts'

const account = 'f00dcafe0123456789abcdef01234567'

test.each([
  ['in a line of its own', '#cloud-config\ncluster-name: prod\n', 'prod'],
  [
    'indented, among others',
    'write_files:\n- content: |\n    a: b\n    \tcluster-name:  prod-2.eu  \r\n    c: d',
    'prod-2.eu',
  ],
  ['in quotes', '  cluster-name: "quoted"', 'quoted'],
  ['nowhere', '#cloud-config\n', 'mine'],
  ['in the middle of a line only', 'echo cluster-name: other\nmy-cluster-name: other', 'mine'],
  ['with nothing behind it', 'cluster-name:\n', 'mine'],
])('the name of the cluster stands in the user data %s', async (_, user_data, clusterName) => {
  const nodes = keptNodes()
  await using ibm = await startIbm({ nodes, world: standardWorld({ clusterName: 'mine' }) })
  expect(ibm.simulator.facts.clusterName).toBe('mine')
  const id = await ibm.launchRunning({ user_data })
  expect(nodes.machines.map(({ providerID }) => providerID)).toEqual([`ibm://${account}///${clusterName}/${id}`])
})

test.each(['stop', 'delete'])('a preempted guest has its notice to shut down, by the policy %s', async (preemption) => {
  const nodes = keptNodes()
  await using ibm = await startIbm({ nodes, noticeMs: 30_000 })
  ibm.simulator.control.interrupt(await ibm.launchRunning({ name: 'worker', availability_policy: { preemption } }))
  await ibm.clock.advance(29_999)
  expect(nodes.said).toEqual(['started worker'])
  await ibm.clock.advance(1)
  expect(nodes.said).toEqual(['started worker', 'stopped worker'])
})

test('an instance that is called failed can go on, and so does its kubelet', async () => {
  const nodes = keptNodes()
  await using ibm = await startIbm({ nodes })
  const id = await ibm.launchRunning({ name: 'worker' })
  ibm.simulator.control.fail(id)
  await ibm.clock.advance(60_000)
  expect(nodes.said).toEqual(['started worker'])
  ibm.simulator.control.terminate(id)
})

test('one that starts again registers again, under the host name that it was created with', async () => {
  const nodes = keptNodes()
  await using ibm = await startIbm({ nodes })
  const id = await ibm.launchRunning({ name: 'worker' })
  await ibm.client.call('PATCH', `/instances/${id}`, { body: { name: 'renamed' } })
  ibm.simulator.control.stop(id)
  await ibm.clock.advance(1000)
  await ibm.client.call('POST', `/instances/${id}/actions`, { body: { type: 'start' } })
  await ibm.clock.advance(2000)
  expect(nodes.said).toEqual(['started worker', 'stopped worker', 'started worker'])
})
