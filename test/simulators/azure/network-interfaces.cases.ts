import { expect, test } from 'vitest'
import {
  all,
  networkVersion,
  refusalOf,
  startAzure,
  usualInterface,
  usualMachine,
  type AzureFixture,
} from './fixture.ts'

const remove = ({ network, group }: AzureFixture, name: string) =>
  network.networkInterfaces.delete(group, name, { updateIntervalInMs: 5 })

test('an interface is there at once, with an address of its subnet', async () => {
  await using azure = await startAzure()
  const poller = azure.network.networkInterfaces.createOrUpdate(
    azure.group,
    'n1',
    { ...usualInterface(azure.simulator.facts), tags: { owner: 'me' } },
    { updateIntervalInMs: 5 },
  )
  expect(await poller.pollUntilDone()).toMatchObject({
    name: 'n1',
    provisioningState: 'Succeeded',
    tags: { owner: 'me' },
    ipConfigurations: [{ name: 'ipconfig1', privateIPAddress: '10.0.0.4', privateIPAllocationMethod: 'Dynamic' }],
  })
})

test('the same name again gives it other tags and leaves it its address', async () => {
  await using azure = await startAzure()
  await azure.makeInterface('n1')
  await azure.makeInterface('n2')
  await azure.makeInterface('n1', { tags: { a: '1' } })
  const [first] = await all(azure.network.networkInterfaces.list(azure.group))
  expect(first).toMatchObject({ tags: { a: '1' }, ipConfigurations: [{ privateIPAddress: '10.0.0.4' }] })
})

test('it is shown whose it is while a machine has it', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const [one] = await all(azure.network.networkInterfaces.listAll())
  expect(one).toMatchObject({
    primary: true,
    macAddress: expect.stringMatching(/^00-0D-3A(-[0-9A-F]{2}){3}$/) as string,
    virtualMachine: { id: expect.stringMatching(/\/virtualMachines\/m1$/) as string },
  })
})

test('it is not deleted while a machine has it; then it takes a while', async () => {
  await using azure = await startAzure()
  await azure.launch('m1', {})
  expect(await refusalOf(remove(azure, 'm1-nic').submitted())).toMatchObject({ code: 'NicInUse', status: 400 })
  await azure.makeInterface('n2')
  const poller = remove(azure, 'n2')
  await poller.submitted()
  expect((await azure.network.networkInterfaces.get(azure.group, 'n2')).provisioningState).toBe('Deleting')
  await azure.clock.advance(1000)
  await poller.pollUntilDone()
  expect(await refusalOf(azure.network.networkInterfaces.get(azure.group, 'n2'))).toMatchObject({
    code: 'ResourceNotFound',
  })
})

test('what is not there is deleted already', async () => {
  await using azure = await startAzure()
  await remove(azure, 'n1').submitted()
  expect(azure.simulator.requests).toMatchObject([{ answer: { status: 204 } }])
})

test('no two machines have one interface', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const nic = await azure.makeInterface('m1-nic')
  const second = azure.put('m2', usualMachine(azure.simulator.facts, 'm2', nic))
  expect(await refusalOf(second)).toMatchObject({ code: 'NicInUse', status: 400 })
})

test('after a refusal for want of capacity an interface is kept for three minutes for the machine it was meant for', async () => {
  await using azure = await startAzure()
  azure.simulator.control.noCapacity({ until: azure.clock.now() + 1 })
  const nic = await azure.makeInterface('n1')
  const { facts } = azure.simulator
  expect(await refusalOf(azure.put('m1', usualMachine(facts, 'm1', nic)))).toMatchObject({ code: 'SkuNotAvailable' })
  await azure.clock.advance(179_999)
  const reserved = { code: 'NicReservedForAnotherVm', status: 400 }
  expect(await refusalOf(azure.put('m2', usualMachine(facts, 'm2', nic)))).toMatchObject(reserved)
  expect(await refusalOf(remove(azure, 'n1').submitted())).toMatchObject(reserved)
  await azure.clock.advance(1)
  await azure.put('m2', usualMachine(facts, 'm2', nic))
  expect(await azure.look('m2')).toMatchObject({ networkProfile: { networkInterfaces: [{ id: nic }] } })
})

test('the machine that it is kept for may have it', async () => {
  await using azure = await startAzure()
  azure.simulator.control.noCapacity({ until: azure.clock.now() + 1 })
  const nic = await azure.makeInterface('n1')
  const machine = usualMachine(azure.simulator.facts, 'm1', nic)
  await refusalOf(azure.put('m1', machine))
  await azure.clock.advance(1)
  await azure.put('m1', machine)
  expect(await azure.look('m1')).toMatchObject({ networkProfile: { networkInterfaces: [{ id: nic }] } })
})

test('so it is kept, too, when a machine that failed is deleted and its delete option is not Delete', async () => {
  await using azure = await startAzure()
  const { control, facts } = azure.simulator
  control.failNextLaunch('AllocationFailed')
  const nic = await azure.makeInterface('n1')
  await azure.put('m1', { ...usualMachine(facts, 'm1', nic), networkProfile: { networkInterfaces: [{ id: nic }] } })
  await azure.clock.advance(2000)
  control.terminate('m1')
  await azure.clock.advance(1000)
  expect(await refusalOf(remove(azure, 'n1').submitted())).toMatchObject({ code: 'NicReservedForAnotherVm' })
  await azure.clock.advance(180_000)
  await remove(azure, 'n1').submitted()
})

test('unless that is switched off', async () => {
  await using azure = await startAzure()
  await azure.control('hold-interfaces', { for: '0' })
  azure.simulator.control.noCapacity()
  const nic = await azure.makeInterface('n1')
  await refusalOf(azure.put('m1', usualMachine(azure.simulator.facts, 'm1', nic)))
  await remove(azure, 'n1').submitted()
  expect((await azure.network.networkInterfaces.get(azure.group, 'n1')).provisioningState).toBe('Deleting')
})

test('a subnet has so many addresses, and gets them back', async () => {
  await using azure = await startAzure({ shutdownMs: 0 })
  const { facts } = azure.simulator
  const tiny = usualInterface({ ...facts, subnet: facts.subnet.replace(/nodes$/, 'tiny') })
  for (const name of ['n1', 'n2', 'n3']) await azure.makeInterface(name, tiny)
  expect(await refusalOf(azure.makeInterface('n4', tiny))).toEqual({
    code: 'SubnetIsFull',
    status: 400,
    message: 'Subnet tiny with address prefix 10.0.128.0/29 does not have enough capacity for 1 IP addresses.',
  })
  await remove(azure, 'n2').submitted()
  await azure.clock.advance(0)
  await azure.makeInterface('n4', tiny)
})

const configured = (azure: AzureFixture, ...properties: object[]) => ({
  location: 'westus2',
  properties: {
    ipConfigurations: properties.map((one, at) => ({
      name: `c${at}`,
      properties: { subnet: { id: azure.simulator.facts.subnet }, ...one },
    })),
  },
})

test.each<[string, (azure: AzureFixture) => object, string]>([
  ['no configuration', (azure) => configured(azure), 'MissingIpConfiguration'],
  [
    'more configurations than an interface has room for',
    (azure) => configured(azure, ...Array.from({ length: 257 }, (_, at) => ({ name: `c${at}`, primary: at === 0 }))),
    'InvalidRequestFormat',
  ],
  [
    'a DNS server that is no address',
    (azure) => {
      const { location, properties } = configured(azure, {})
      return { location, properties: { ...properties, dnsSettings: { dnsServers: ['foo'] } } }
    },
    'InvalidRequestFormat',
  ],
  ['no subnet', (azure) => configured(azure, { subnet: undefined }), 'SubnetRequired'],
  [
    'a subnet that is not there',
    (azure) => configured(azure, { subnet: { id: `${azure.simulator.facts.subnet}2` } }),
    'InvalidResourceReference',
  ],
  [
    'a security group that is not there',
    (azure) => {
      const { location, properties } = configured(azure, {})
      const networkSecurityGroup = { id: `${azure.simulator.facts.securityGroup}2` }
      return { location, properties: { ...properties, networkSecurityGroup } }
    },
    'InvalidResourceReference',
  ],
  ['two configurations, neither primary', (azure) => configured(azure, {}, {}), 'IpConfigurationsMustHavePrimary'],
  [
    'a fixed address that is none',
    (azure) => configured(azure, { privateIPAllocationMethod: 'Static' }),
    'PrivateIPAddressIsRequired',
  ],
  [
    'a fixed address of another subnet',
    (azure) => configured(azure, { privateIPAllocationMethod: 'Static', privateIPAddress: '10.9.0.4' }),
    'PrivateIPAddressNotInSubnet',
  ],
  [
    'a fixed address that somebody has',
    (azure) => configured(azure, { privateIPAllocationMethod: 'Static', privateIPAddress: '10.0.0.4' }),
    'PrivateIPAddressInUse',
  ],
  [
    'a public address that is not there',
    (azure) => configured(azure, { publicIPAddress: { id: `${azure.simulator.facts.subnet}/p` } }),
    'InvalidResourceReference',
  ],
  [
    'another version of addresses',
    (azure) => configured(azure, { privateIPAddressVersion: 'IPv6' }),
    'SubnetDoesNotHaveIPv6Prefix',
  ],
  [
    'a method that is none',
    (azure) => configured(azure, { privateIPAllocationMethod: 'Magic' }),
    'InvalidRequestFormat',
  ],
  [
    'another place',
    (azure) => ({ ...configured(azure, {}), location: 'eastus' }),
    'LocationNotAvailableForResourceType',
  ],
  ['a tag that cannot be', (azure) => ({ ...configured(azure, {}), tags: { 'a/b': '' } }), 'InvalidTagNameCharacters'],
])('refused: %s', async (_, body, code) => {
  await using azure = await startAzure()
  await azure.makeInterface('n1')
  const { subscription, resourceGroup } = azure.simulator.facts
  const path = `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.Network/networkInterfaces/n2`
  const { status, json } = await azure.raw('PUT', path, { body: body(azure), version: networkVersion })
  expect([status, json]).toMatchObject([400, { error: { code } }])
  expect(azure.simulator.control.remains().interfaces).toEqual(['n1'])
})

test('a public address belongs to an interface and goes or stays with it', async () => {
  await using azure = await startAzure({ shutdownMs: 0 })
  const { facts } = azure.simulator
  const { publicIPAddresses } = azure.network
  const withAddress = async (name: string, deleteOption: string) => {
    const { id } = await publicIPAddresses
      .createOrUpdate(azure.group, name, { location: 'westus2', sku: { name: 'Standard' } }, { updateIntervalInMs: 5 })
      .pollUntilDone()
    const publicIPAddress = { id: id ?? '', deleteOption }
    const [ipConfiguration] = usualInterface(facts).ipConfigurations ?? []
    await azure.makeInterface(`${name}-nic`, { ipConfigurations: [{ ...ipConfiguration, publicIPAddress }] })
  }
  await withAddress('p1', 'Delete')
  await withAddress('p2', 'Detach')
  expect(await publicIPAddresses.get(azure.group, 'p1')).toMatchObject({
    ipAddress: '20.9.0.2',
    ipConfiguration: { id: expect.stringContaining('/p1-nic/') as string },
  })
  expect(await refusalOf(publicIPAddresses.delete(azure.group, 'p1').submitted())).toMatchObject({
    code: 'PublicIPAddressCannotBeDeleted',
  })
  for (const name of ['p1-nic', 'p2-nic']) await remove(azure, name).submitted()
  await azure.clock.advance(0)
  expect(azure.simulator.control.remains()).toMatchObject({ interfaces: [], addresses: ['p2'] })
  await publicIPAddresses.delete(azure.group, 'p2').submitted()
  expect((await all(publicIPAddresses.listAll())).length).toBe(0)
})

test('networks and subnets can be read', async () => {
  await using azure = await startAzure()
  const { vnet, subnet } = azure.simulator.facts
  expect((await azure.network.subnets.get(azure.group, vnet, 'nodes')).id).toBe(subnet)
  const subnets = await all(azure.network.subnets.list(azure.group, vnet))
  expect(subnets.map(({ name, addressPrefix }) => [name, addressPrefix])).toEqual([
    ['nodes', '10.0.0.0/17'],
    ['tiny', '10.0.128.0/29'],
  ])
  expect(await azure.network.virtualNetworks.get(azure.group, vnet)).toMatchObject({
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
  })
  expect((await all(azure.network.virtualNetworks.list(azure.group))).length).toBe(1)
  expect(await refusalOf(azure.network.subnets.get(azure.group, vnet, 'gone'))).toMatchObject({
    code: 'ResourceNotFound',
  })
})
