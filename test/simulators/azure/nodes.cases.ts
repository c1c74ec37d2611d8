import { expect, test } from 'vitest'
import { keptNodes } from '../kit/kept-nodes.ts'
import { startAzure, type AzureFixture } from './fixture.ts'

test("a kubelet starts when the machine runs, and presents it as Azure's controller would", async () => {
  const nodes = keptNodes()
  await using azure = await startAzure({ nodes })
  await azure.launch('Worker-1', { hardwareProfile: { vmSize: 'Standard_NC64as_T4_v3' } })
  await azure.clock.advance(1999)
  expect(nodes.said).toEqual([])
  await azure.clock.advance(1)
  const { subscription } = azure.simulator.facts
  expect(nodes.machines).toEqual([
    {
      name: 'worker-1',
      providerID: `azure:///subscriptions/${subscription}/resourceGroups/spot-workers/providers/Microsoft.Compute/virtualMachines/Worker-1`,
      instanceType: 'Standard_NC64as_T4_v3',
      region: 'westus2',
      zone: 'westus2-1',
      addresses: [
        { type: 'InternalIP', address: '10.0.0.4' },
        { type: 'Hostname', address: 'worker-1' },
      ],
      architecture: 'amd64',
      cpus: 64,
      memoryMiB: 450_560,
      devices: { 'nvidia.com/gpu': 4 },
    },
  ])
})

test('where Azure chose the place, nobody says which zone it is', async () => {
  const nodes = keptNodes()
  await using azure = await startAzure({ nodes })
  await azure.launch('m1', { zones: undefined } as never)
  await azure.clock.advance(2000)
  expect(nodes.machines).toMatchObject([{ zone: '0' }])
})

test('without custom data nothing makes the machine join a cluster', async () => {
  const nodes = keptNodes()
  await using azure = await startAzure({ nodes })
  await azure.launch('m1')
  const nic = await azure.makeInterface('n2')
  const { osProfile, ...machine } = await azure.look('m1')
  const { instanceView: _, storageProfile, ...rest } = machine
  const osDisk = { createOption: 'FromImage' }
  const networkProfile = { networkInterfaces: [{ id: nic }] }
  await azure.put('m2', {
    ...rest,
    storageProfile: { ...storageProfile, osDisk },
    osProfile: { ...osProfile, computerName: 'm2' },
    networkProfile,
  })
  await azure.clock.advance(2000)
  expect(nodes.said).toEqual(['started m1'])
})

const ends: Readonly<Record<string, (azure: AzureFixture) => void>> = {
  stop: ({ simulator }) => simulator.control.stop('m1'),
  deallocate: ({ simulator }) => simulator.control.deallocate('m1'),
  terminate: ({ simulator }) => simulator.control.terminate('m1'),
  interrupt: ({ simulator }) => simulator.control.interrupt('m1'),
  vanish: ({ simulator }) => simulator.control.vanish('m1'),
}

test.each(Object.entries(ends))('%s: the kubelet falls silent at once, and once', async (_, end) => {
  const nodes = keptNodes()
  await using azure = await startAzure({ nodes })
  await azure.launch('m1')
  await azure.clock.advance(2000)
  end(azure)
  expect(nodes.said).toEqual(['started m1', 'stopped m1'])
  await azure.clock.advance(10_000)
  expect(nodes.said).toHaveLength(2)
})

test('a machine that is started again has its kubelet again', async () => {
  const nodes = keptNodes()
  await using azure = await startAzure({ nodes })
  await azure.launch('m1')
  await azure.clock.advance(2000)
  azure.simulator.control.deallocate('m1')
  await azure.clock.advance(1000)
  await azure.compute.virtualMachines.start(azure.group, 'm1').submitted()
  await azure.clock.advance(2000)
  expect(nodes.said).toEqual(['started m1', 'stopped m1', 'started m1'])
})

test('a machine that ends before it runs has no kubelet', async () => {
  const nodes = keptNodes()
  await using azure = await startAzure({ nodes })
  await azure.launch('m1')
  azure.simulator.control.terminate('m1')
  await azure.clock.advance(10_000)
  expect(nodes.said).toEqual([])
})
