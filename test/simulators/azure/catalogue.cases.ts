import { expect, test } from 'vitest'
import { all, refusalOf, startAzure } from './fixture.ts'

test('the sizes of a place, with what a node of them would have', async () => {
  await using azure = await startAzure()
  const skus = await all(azure.compute.resourceSkus.list({ filter: "location eq 'westus2'" }))
  const row = (name: string): object => {
    const { capabilities = [], locationInfo, family, resourceType } = skus.find((sku) => sku.name === name) ?? {}
    const values = capabilities.map((one) => [one.name ?? '', one.value] as const)
    return { resourceType, family, zones: locationInfo?.[0]?.zones, ...Object.fromEntries(values) }
  }
  expect(row('Standard_D2s_v5')).toMatchObject({
    resourceType: 'virtualMachines',
    family: 'standardDSv5Family',
    zones: ['1', '2', '3'],
    vCPUs: '2',
    MemoryGB: '8',
    CpuArchitectureType: 'x64',
    LowPriorityCapable: 'True',
    EphemeralOSDiskSupported: 'False',
  })
  expect(row('Standard_D2s_v5')).not.toHaveProperty('GPUs')
  expect(row('Standard_NC64as_T4_v3')).toMatchObject({ GPUs: '4', zones: ['1', '2'] })
  expect(row('Standard_B2s')).toMatchObject({ LowPriorityCapable: 'False' })
  expect(row('Standard_D2ps_v5')).toMatchObject({ CpuArchitectureType: 'Arm64' })
})

test('of another place there are none, and no other filter is understood', async () => {
  await using azure = await startAzure()
  expect(await all(azure.compute.resourceSkus.list({ filter: "location eq 'eastus'" }))).toEqual([])
  expect(await refusalOf(all(azure.compute.resourceSkus.list({ filter: "name eq 'x'" })))).toMatchObject({
    code: 'InvalidParameter',
  })
})

test('what is used of what may be', async () => {
  await using azure = await startAzure()
  azure.simulator.control.quota('lowPriorityCores', 6)
  await azure.launch('m1')
  const usages = await all(azure.compute.usage.list('westus2'))
  const one = (name: string) => usages.find((usage) => usage.name?.value === name)
  expect(one('lowPriorityCores')).toMatchObject({ currentValue: 2, limit: 6, unit: 'Count' })
  expect(one('cores')).toMatchObject({ currentValue: 0 })
  expect(one('virtualMachines')).toMatchObject({ currentValue: 1 })
  expect(one('standardDSv5Family')).toMatchObject({ currentValue: 0 })
})

test('images and their versions', async () => {
  await using azure = await startAzure()
  const { compute, group, simulator } = azure
  const versions = await all(compute.galleryImageVersions.listByGalleryImage(group, 'spot', 'ubuntu-2404'))
  expect(versions.map(({ id }) => id)).toEqual([simulator.facts.image])
  expect(await compute.galleryImageVersions.get(group, 'spot', 'ubuntu-2404', '1.36.3')).toMatchObject({
    name: '1.36.3',
  })
  expect((await all(compute.images.list())).map(({ name }) => name)).toEqual(['ubuntu-2404'])
  expect((await compute.images.get(group, 'ubuntu-2404')).provisioningState).toBe('Succeeded')
  expect(await refusalOf(compute.images.get(group, 'gone'))).toMatchObject({ code: 'ResourceNotFound' })
})

test('resource groups', async () => {
  await using azure = await startAzure()
  const { subscription } = azure.simulator.facts
  const path = `/subscriptions/${subscription}/resourcegroups`
  const version = '2021-04-01'
  expect(await azure.raw('GET', `${path}/spot-workers`, { version })).toMatchObject({
    status: 200,
    json: { name: 'Spot-Workers', location: 'westus2' },
  })
  expect(await azure.raw('GET', `${path}/nowhere`, { version })).toMatchObject({
    status: 404,
    json: { error: { code: 'ResourceGroupNotFound' } },
  })
  const heads = ['spot-workers', 'nowhere'].map((name) => azure.raw('HEAD', `${path}/${name}`, { version }))
  expect((await Promise.all(heads)).map(({ status }) => status)).toEqual([204, 404])
})
