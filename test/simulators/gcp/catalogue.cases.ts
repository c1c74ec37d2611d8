import { expect, test } from 'vitest'
import { namesIn, refusalOf, startGce, zone, type Message } from './fixture.ts'

const names = ({ items = [] }: Message) => (items as Message[]).map(({ name }) => name)

test('a machine type says what a node of it will have', async () => {
  await using gce = await startGce()
  expect(await gce.done('GET', `zones/${zone}/machineTypes/g2-standard-24`)).toMatchObject({
    kind: 'compute#machineType',
    name: 'g2-standard-24',
    guestCpus: 24,
    memoryMb: 98_304,
    zone,
    architecture: 'X86_64',
    accelerators: [{ guestAcceleratorType: 'nvidia-l4', guestAcceleratorCount: 2 }],
  })
  expect(await gce.done('GET', `zones/${zone}/machineTypes/t2a-standard-2`)).toMatchObject({ architecture: 'ARM64' })
})

test('a type is there where it is offered', async () => {
  await using gce = await startGce()
  const listed = async (zone: string) => names(await gce.done('GET', `zones/${zone}/machineTypes`))
  expect(await listed(zone)).toContain('t2a-standard-2')
  expect(await listed('us-central1-c')).not.toContain('t2a-standard-2')
  expect(await refusalOf(gce.call('GET', 'zones/us-central1-c/machineTypes/t2a-standard-2'))).toEqual({
    code: 'notFound',
    status: 404,
    message: "The resource 'projects/spot-simulated/zones/us-central1-c/machineTypes/t2a-standard-2' was not found",
  })
  const query = { filter: 'name=t2a-standard-2' }
  const { items } = await gce.done('GET', 'aggregated/machineTypes', { query })
  const where = Object.entries(items as Record<string, { machineTypes?: unknown }>).filter(
    ([, one]) => one.machineTypes,
  )
  expect(where.map(([scope]) => scope)).toEqual([
    'zones/us-central1-a',
    'zones/us-central1-b',
    'zones/us-central1-f',
    'zones/us-east1-b',
  ])
})

test('by their numbers', async () => {
  await using gce = await startGce()
  const query = { filter: 'guestCpus >= 12 AND memoryMb < 90000' }
  expect(names(await gce.done('GET', `zones/${zone}/machineTypes`, { query }))).toEqual(['a2-highgpu-1g'])
})

test('accelerators', async () => {
  await using gce = await startGce()
  expect(names(await gce.done('GET', `zones/us-east1-d/acceleratorTypes`))).toEqual([])
  expect(await gce.done('GET', `zones/${zone}/acceleratorTypes/nvidia-l4`)).toMatchObject({
    maximumCardsPerInstance: 8,
  })
  expect(namesIn(await gce.done('GET', 'aggregated/acceleratorTypes'), 'acceleratorTypes')).toHaveLength(15)
})

test('zones and regions', async () => {
  await using gce = await startGce()
  expect(names(await gce.done('GET', 'zones', { query: { filter: 'name:us-central1*' } }))).toEqual(
    gce.simulator.facts.zones,
  )
  expect(await gce.done('GET', `zones/${zone}`)).toMatchObject({
    status: 'UP',
    region: 'https://www.googleapis.com/compute/v1/projects/spot-simulated/regions/us-central1',
  })
  expect(names(await gce.done('GET', 'regions'))).toEqual(['us-central1', 'us-east1'])
  expect((await gce.done('GET', 'regions/us-east1'))['zones']).toHaveLength(3)
})

test('subnetworks and networks', async () => {
  await using gce = await startGce()
  expect(await gce.done('GET', gce.simulator.facts.subnet.replace('projects/spot-simulated/', ''))).toMatchObject({
    name: 'spot',
    ipCidrRange: '10.0.0.0/17',
    gatewayAddress: '10.0.0.1',
    secondaryIpRanges: [{ rangeName: 'pods', ipCidrRange: '10.128.0.0/17' }],
  })
  expect(names(await gce.done('GET', 'regions/us-east1/subnetworks'))).toEqual(['default', 'spot-us-east1'])
  expect(Object.keys((await gce.done('GET', 'aggregated/subnetworks')).items as object)).toEqual([
    'regions/us-central1',
    'regions/us-east1',
  ])
  expect(names(await gce.done('GET', 'global/networks'))).toEqual(['default', 'spot'])
  expect(await gce.done('GET', 'global/networks/default')).toMatchObject({ autoCreateSubnetworks: true })
  for (const path of ['regions/us-east1/subnetworks/spot', 'global/networks/gone']) {
    expect(await refusalOf(gce.call('GET', path))).toMatchObject({ code: 'notFound' })
  }
})

test('images, by name and by family', async () => {
  await using gce = await startGce()
  const image = gce.simulator.facts.image.replace('projects/spot-simulated/', '')
  const byName = await gce.done('GET', image)
  expect(byName).toMatchObject({ status: 'READY', diskSizeGb: '10', architecture: 'X86_64' })
  expect(await gce.done('GET', `global/images/family/${String(byName['family'])}`)).toEqual(byName)
  for (const path of ['global/images/gone', 'global/images/family/gone']) {
    expect(await refusalOf(gce.call('GET', path))).toMatchObject({ code: 'notFound', status: 404 })
  }
})
