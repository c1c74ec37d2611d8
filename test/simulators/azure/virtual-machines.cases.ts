import { describe, expect, test } from 'vitest'
import { refusalOf, startAzure, usualMachine } from './fixture.ts'
import { disks } from './traps/disks.ts'
import { guests } from './traps/guests.ts'
import { interfaces } from './traps/interfaces.ts'
import { places } from './traps/places.ts'
import { spotTerms } from './traps/spot.ts'

describe.each([
  ['the spot market', spotTerms],
  ['places and images', places],
  ['interfaces', interfaces],
  ['disks', disks],
  ['the guest and tags', guests],
])('refused at once: %s', (_, traps) => {
  test.each(traps)('$trap', async ({ said, code, status = 400, message }) => {
    await using azure = await startAzure()
    const nic = await azure.makeInterface('n1')
    const machine = said(usualMachine(azure.simulator.facts, 'm1', nic))
    const refusal = await refusalOf(azure.put('m1', machine, '*'))
    expect(refusal).toMatchObject({ code, status })
    expect(refusal.message).toContain(message)
    expect(azure.simulator.control.remains()).toEqual({ instances: [], interfaces: ['n1'], disks: [], addresses: [] })
  })
})

test.each(['-m1', 'm1-', 'm_1.', 'm'.repeat(65)])('a machine cannot be called %s', async (name) => {
  await using azure = await startAzure()
  const nic = await azure.makeInterface('n1')
  const machine = usualMachine(azure.simulator.facts, 'm1', nic)
  expect(await refusalOf(azure.put(name, machine))).toMatchObject({
    code: 'InvalidParameter',
    message: expect.stringContaining(`The entity name '${name}' is invalid`) as string,
  })
})

test('an accepted machine is there at once, with a new immutable id, and its disk with it', async () => {
  await using azure = await startAzure()
  const id = await azure.launch('m1')
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  const [created] = azure.simulator.requests.filter(({ action }) => action === 'VirtualMachines_CreateOrUpdate')
  expect(created).toMatchObject({ answer: { status: 201 }, params: { condition: '*', name: 'm1' } })
  expect(azure.simulator.control.instances()).toMatchObject([
    {
      id,
      name: 'm1',
      state: 'creating',
      provisioningState: 'Creating',
      market: 'spot',
      zone: '1',
      privateIp: '10.0.0.4',
    },
  ])
  expect(azure.simulator.control.remains()).toMatchObject({ disks: ['m1_OSDisk'], interfaces: ['m1-nic'] })
})

test('with If-None-Match a name that is taken is refused, whoever has it', async () => {
  await using azure = await startAzure()
  const id = await azure.launch('m1')
  const nic = await azure.makeInterface('other')
  const again = usualMachine(azure.simulator.facts, 'm1', nic)
  expect(await refusalOf(azure.put('m1', again, '*'))).toMatchObject({ code: 'PreconditionFailed', status: 412 })
  expect((await azure.look('m1')).vmId).toBe(id)
})

test('without it the same machine again changes its tags, and nothing else', async () => {
  await using azure = await startAzure()
  const id = await azure.launchRunning('m1')
  const { facts } = azure.simulator
  const machine = usualMachine(facts, 'm1', await azure.makeInterface('m1-nic'))
  await azure.put('m1', { ...machine, tags: { Name: 'm1', more: 'yes' } })
  expect(await azure.look('m1')).toMatchObject({
    vmId: id,
    provisioningState: 'Succeeded',
    tags: { Name: 'm1', more: 'yes' },
  })
  const larger = { ...machine, hardwareProfile: { vmSize: 'Standard_D4s_v5' } }
  expect(await refusalOf(azure.put('m1', larger))).toMatchObject({ code: 'PropertyChangeNotAllowed', status: 409 })
})

test('a machine may change only if it is the one expected', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const { etag = '' } = await azure.look('m1')
  const { facts } = azure.simulator
  const machine = usualMachine(facts, 'm1', facts.subnet)
  const { networkProfile: _, ...unchanged } = machine
  const before = (await azure.look('m1')).networkProfile ?? {}
  const put = (ifMatch: string) =>
    azure.compute.virtualMachines
      .createOrUpdate(azure.group, 'm1', { ...unchanged, networkProfile: before, tags: { a: '1' } }, { ifMatch })
      .submitted()
  await put(etag)
  expect(await refusalOf(put(etag))).toMatchObject({ code: 'PreconditionFailed', status: 412 })
})

test('what is shown of a machine has neither its custom data nor a password', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const { text } = await azure.raw('GET', machinePath(azure.simulator.facts, 'm1', '?$expand=userData'))
  expect(text).not.toMatch(/customData|adminPassword/)
})

test('user data is shown to those who ask for it', async () => {
  await using azure = await startAzure()
  const userData = Buffer.from('hello').toString('base64')
  await azure.launch('m1', { userData })
  const { compute, group } = azure
  expect((await compute.virtualMachines.get(group, 'm1')).userData).toBeUndefined()
  expect((await compute.virtualMachines.get(group, 'm1', { expand: 'userData' })).userData).toBe(userData)
})

test.each([
  ['the newest version', (id: string) => ({ id: id.replace(/\/versions\/.*/, '/versions/latest') })],
  ['the definition alone', (id: string) => ({ id: id.replace(/\/versions\/.*/, '') })],
  [
    'a community gallery',
    () => ({
      communityGalleryImageId:
        '/CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images/capi-ubun2-2404/Versions/latest',
    }),
  ],
  ['the marketplace', () => ({ publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server', version: 'latest' })],
])('an image can be named by %s', async (_, reference) => {
  await using azure = await startAzure()
  const nic = await azure.makeInterface('n1')
  const machine = usualMachine(azure.simulator.facts, 'm1', nic)
  const imageReference = reference(azure.simulator.facts.image)
  await azure.put('m1', { ...machine, storageProfile: { ...machine.storageProfile, imageReference } })
  expect((await azure.look('m1')).storageProfile?.imageReference).toMatchObject(imageReference)
})

function machinePath(
  { subscription, resourceGroup }: { subscription: string; resourceGroup: string },
  name: string,
  query: string,
): string {
  const group = `/subscriptions/${subscription}/resourceGroups/${resourceGroup}`
  return `${group}/providers/Microsoft.Compute/virtualMachines/${name}${query}`
}
