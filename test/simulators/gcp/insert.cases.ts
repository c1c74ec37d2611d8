import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  failureOf,
  instancesPath,
  onDemand,
  refusalOf,
  startGce,
  usualInsert,
  zone,
  type GceFixture,
} from './fixture.ts'
import { contents } from './traps/contents.ts'
import { fields } from './traps/fields.ts'
import { names } from './traps/names.ts'
import { places } from './traps/places.ts'
import { spotTerms } from './traps/spot.ts'
import { disk, nic, subnetwork, typed } from './traps/trap.ts'
import { standardWorld } from './world.ts'

const traps = [...names, ...fields, ...places, ...spotTerms, ...contents]

describe('instances.insert refuses', () => {
  let gce: GceFixture
  beforeAll(async () => {
    gce = await startGce()
  })
  afterAll(() => gce[Symbol.asyncDispose]())

  test.each(traps)('$trap', async ({ said, code, status = 400, message }) => {
    const refusal = await refusalOf(gce.insert(said))
    expect(refusal).toEqual({ code, status, message: expect.stringContaining(message) as string })
    expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
    expect((await gce.done('GET', `zones/${zone}/operations`)).items).toBeUndefined()
  })

  test('a template, which it does not simulate, and says so', async () => {
    const query = { sourceInstanceTemplate: 'global/instanceTemplates/x' }
    const refusal = await refusalOf(gce.call('POST', instancesPath, { query, body: usualInsert(gce.simulator) }))
    expect(refusal).toMatchObject({ code: 'notImplemented', status: 501 })
  })
})

test('a name that is taken is refused, in its zone and as long as the instance is there', async () => {
  await using gce = await startGce()
  await gce.inserted()
  expect(await refusalOf(gce.insert())).toEqual({
    code: 'alreadyExists',
    status: 409,
    message: "The resource 'projects/spot-simulated/zones/us-central1-a/instances/worker' already exists",
  })
  const elsewhere = JSON.parse(JSON.stringify(usualInsert(gce.simulator)).replaceAll(zone, 'us-central1-b')) as unknown
  await gce.done('POST', 'zones/us-central1-b/instances', { body: elsewhere })
  await gce.done('DELETE', `${instancesPath}/worker`)
  expect(await refusalOf(gce.insert())).toMatchObject({ code: 'alreadyExists' })
  await gce.clock.advance(1000)
  await gce.inserted()
  expect(gce.simulator.control.instances().map(({ name, zone }) => [name, zone])).toEqual([
    ['worker', 'us-central1-b'],
    ['worker', zone],
  ])
})

test('a name that a disk has, left behind by another instance, is refused', async () => {
  await using gce = await startGce()
  await gce.inserted(disk({}, { autoDelete: false }))
  gce.simulator.control.terminate('worker')
  await gce.clock.advance(1000)
  expect(await refusalOf(gce.insert())).toEqual({
    code: 'alreadyExists',
    status: 409,
    message: "The resource 'projects/spot-simulated/zones/us-central1-a/disks/worker' already exists",
  })
})

test('an address that another instance has is refused', async () => {
  await using gce = await startGce()
  await gce.inserted(nic({ networkIP: '10.0.0.77' }))
  expect(await refusalOf(gce.insert({ name: 'other', ...nic({ networkIP: '10.0.0.77' }) }))).toMatchObject({
    message: expect.stringContaining('Specified IP address is in-use and would result in a conflict.') as string,
  })
})

test('a subnetwork without a free address: accepted, and said by the operation; nothing is left', async () => {
  const world = standardWorld()
  const subnetworks = world.subnetworks.map((one) => (one.name === 'spot' ? { ...one, cidr: '10.0.0.0/29' } : one))
  await using gce = await startGce({ world: { ...world, subnetworks } })
  // A /29 has eight addresses, of which GCE keeps four.
  for (const name of ['a', 'b', 'c', 'd']) await gce.inserted({ name })
  const operation = await gce.inserted({ name: 'e' })
  expect(operation).toMatchObject({ status: 'RUNNING' })
  await gce.clock.advance(2000)
  expect(failureOf(await gce.operation(operation.name))).toEqual({
    status: 'DONE',
    code: 'IP_SPACE_EXHAUSTED_WITH_DETAILS',
    message: expect.stringContaining(
      "IP space of 'projects/spot-simulated/regions/us-central1/subnetworks/spot'",
    ) as string,
    http: [400, 'BAD REQUEST'],
  })
  expect(gce.simulator.control.remains()).toMatchObject({ disks: ['a', 'b', 'c', 'd'] })
  expect(gce.simulator.control.remains().addresses).toHaveLength(4)
})

test.each([
  ['a full address', 'https://www.googleapis.com/compute/v1/projects/spot-simulated/'],
  ['the address of another host', 'https://compute.googleapis.com/compute/v1/projects/spot-simulated/'],
  ['a path', 'projects/spot-simulated/'],
  ['a part of a path', ''],
])('what is named by %s is found', async (_, prefix) => {
  await using gce = await startGce()
  const machineType = `${prefix}zones/${zone}/machineTypes/e2-standard-2`
  const networkInterfaces = [{ subnetwork: `${prefix}regions/us-central1/subnetworks/spot` }]
  await gce.inserted({ machineType, networkInterfaces })
  const shown = (path: string) => `https://www.googleapis.com/compute/v1/projects/spot-simulated/${path}`
  expect(await gce.look('worker')).toMatchObject({
    machineType: shown(`zones/${zone}/machineTypes/e2-standard-2`),
    networkInterfaces: [{ subnetwork: shown('regions/us-central1/subnetworks/spot') }],
  })
})

test('what is not said of a spot instance is what a spot instance must be', async () => {
  await using gce = await startGce()
  const spot = { onHostMaintenance: 'TERMINATE', automaticRestart: false, preemptible: true }
  await gce.inserted({ name: 'spot', scheduling: { provisioningModel: 'SPOT' } })
  await gce.inserted({ name: 'older', scheduling: { preemptible: true } })
  await gce.inserted({
    name: 'noticed',
    scheduling: { provisioningModel: 'SPOT', preemptionNoticeDuration: { seconds: 120 } },
  })
  await gce.inserted({ name: 'usual', ...onDemand })
  expect((await gce.look('spot'))?.['scheduling']).toEqual({
    ...spot,
    provisioningModel: 'SPOT',
    instanceTerminationAction: 'STOP',
  })
  expect((await gce.look('older'))?.['scheduling']).toEqual({ ...spot, provisioningModel: 'STANDARD' })
  expect((await gce.look('noticed'))?.['scheduling']).toMatchObject({ preemptionNoticeDuration: { seconds: '120' } })
  expect((await gce.look('usual'))?.['scheduling']).toEqual({
    onHostMaintenance: 'MIGRATE',
    automaticRestart: true,
    preemptible: false,
    provisioningModel: 'STANDARD',
  })
  expect(gce.simulator.control.instances().map(({ market }) => market)).toEqual(['spot', 'spot', 'spot', 'on-demand'])
})

test('metadata of exactly 256 KB is taken, and comes back as it was', async () => {
  await using gce = await startGce()
  const items = [{ key: 'user-data', value: '🦊'.repeat(131_072) }]
  await gce.inserted({ metadata: { items } })
  expect(await gce.look('worker')).toMatchObject({ metadata: { items } })
})

test('numbers may be sent as text or as numbers, and come back as text', async () => {
  await using gce = await startGce()
  await gce.inserted({ name: 'text', ...disk({ diskSizeGb: '30' }) })
  await gce.inserted({ name: 'number', ...disk({ diskSizeGb: 30 }) })
  for (const name of ['text', 'number']) {
    expect(await gce.look(name)).toMatchObject({
      id: expect.stringMatching(/^\d{19}$/) as string,
      disks: [{ diskSizeGb: '30' }],
    })
  }
})

test('lists and maps in which nothing stands are the same as not said, known to the simulator or not', async () => {
  await using gce = await startGce()
  await gce.inserted({ resourcePolicies: [], displayDevice: {}, guestAccelerators: [], params: null })
  expect(await gce.look('worker')).not.toHaveProperty('guestAccelerators')
})

test('what GCE only says itself is passed over when a caller sends it', async () => {
  await using gce = await startGce()
  await gce.inserted({ kind: 'compute#instance', id: '1', status: 'RUNNING', zone, tags: null })
  expect((await gce.look('worker'))?.status).toBe('PROVISIONING')
})

test('a public address, accelerators, a local disk, aliases and a second network are shown', async () => {
  await using gce = await startGce()
  const second = { network: 'global/networks/default' }
  const first = {
    subnetwork,
    accessConfigs: [{ type: 'ONE_TO_ONE_NAT' }],
    aliasIpRanges: [{ ipCidrRange: '/24', subnetworkRangeName: 'pods' }],
  }
  const local = {
    type: 'SCRATCH',
    interface: 'NVME',
    initializeParams: { diskType: `zones/${zone}/diskTypes/local-ssd` },
  }
  const { disks } = disk({}) as { disks: object[] }
  await gce.inserted({ ...typed('g2-standard-4'), networkInterfaces: [first, second], disks: [...disks, local] })
  expect(await gce.look('worker')).toMatchObject({
    networkInterfaces: [
      {
        name: 'nic0',
        networkIP: '10.0.0.2',
        accessConfigs: [{ type: 'ONE_TO_ONE_NAT', natIP: '34.0.0.2' }],
        aliasIpRanges: [{ ipCidrRange: '/24', subnetworkRangeName: 'pods' }],
      },
      { name: 'nic1', networkIP: '172.16.0.2' },
    ],
    disks: [
      { index: 0, boot: true, type: 'PERSISTENT', diskSizeGb: '10' },
      { index: 1, boot: false, type: 'SCRATCH', diskSizeGb: '375', autoDelete: true },
    ],
  })
  expect(gce.simulator.control.remains().disks).toEqual(['worker'])
})
