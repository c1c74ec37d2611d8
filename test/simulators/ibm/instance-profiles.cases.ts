import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture, type Json } from './fixture.ts'

const required = `availability_class bandwidth cluster_network_attachment_count confidential_compute_modes disks family
  href memory name network_attachment_count network_bandwidth_mode network_interface_count os_architecture port_speed
  reservation_terms resource_type secure_boot_modes status supported_cluster_network_profiles threads_per_core
  supported_vcpu_count total_volume_bandwidth vcpu_architecture vcpu_burst_limit vcpu_count vcpu_manufacturer vcpu_percentage
  volume_bandwidth_qos_modes zones`.split(/\s+/)

async function profiles(ibm: IbmFixture, qs: object = {}): Promise<Json> {
  return (await ibm.client.call('GET', '/instance/profiles', { qs })).result
}

const one = async (ibm: IbmFixture, name: string) => (await ibm.client.call('GET', `/instance/profiles/${name}`)).result

test('each profile has every property that typed clients need', async () => {
  await using ibm = await startIbm()
  const all = (await profiles(ibm, { limit: 100 }))['profiles'] as Json[]
  expect(all.length).toBeGreaterThan(20)
  for (const profile of all) expect(required.filter((name) => profile[name] === undefined)).toEqual([])
})

test('since April 2026 the list comes in pages; before it came at once', async () => {
  await using ibm = await startIbm()
  const paged = await profiles(ibm, { version: '2026-04-07', limit: 10 })
  expect(paged).toMatchObject({ limit: 10, first: { href: expect.any(String) as string } })
  expect(paged['profiles']).toHaveLength(10)
  const whole = await profiles(ibm, { version: '2026-04-06' })
  expect(Object.keys(whole)).toEqual(['profiles'])
  expect(whole['profiles']).toHaveLength(paged['total_count'] as number)
  expect(await refusalOf(profiles(ibm, { version: '2026-04-06', limit: 10 }))).toMatchObject({ status: 400 })
})

test.each<[string, { type: string; default?: string; values?: string[]; value?: string }]>([
  ['bxf-2x8', { type: 'enum', default: 'standard', values: ['standard', 'spot'] }],
  ['bx2-2x8', { type: 'fixed', value: 'standard' }],
  ['bx3d-4x20', { type: 'fixed', value: 'standard' }],
  ['gx3-16x80x1l4', { type: 'enum', default: 'standard', values: ['standard', 'spot'] }],
  ['gx3-64x320x4l4', { type: 'fixed', value: 'spot' }],
])('%s says by which class it can be had, and is had by no other', async (name, availability) => {
  await using ibm = await startIbm()
  expect((await one(ibm, name))['availability_class']).toEqual(availability)
  const words = availability.values ?? [availability.value]
  const asked = ['spot', 'standard'].map((word) => ({ profile: { name }, availability: { class: word } }))
  const [had, refused] = [true, false].map((isHad) =>
    asked.filter((one) => words.includes(one.availability.class) === isHad),
  )
  for (const over of had ?? []) expect((await ibm.launch(over))['availability']).toEqual(over.availability)
  for (const over of refused ?? []) {
    const refusal = await refusalOf(ibm.launch(over))
    expect(refusal).toMatchObject({ code: 'bad_field', target: { name: 'availability.class' } })
  }
})

test('a profile says what a node of it has', async () => {
  await using ibm = await startIbm()
  expect(await one(ibm, 'gx3-32x160x2l4')).toMatchObject({
    family: 'gpu',
    vcpu_count: { type: 'fixed', value: 32 },
    memory: { type: 'fixed', value: 160 },
    gpu_count: { type: 'fixed', value: 2 },
    gpu_model: { type: 'enum', values: ['L4'] },
    gpu_manufacturer: { type: 'enum', values: ['nvidia'] },
    gpu_memory: { type: 'fixed', value: 48 },
    vcpu_architecture: { value: 'amd64' },
    zones: [{ name: 'us-south-1' }, { name: 'us-south-3' }],
  })
  expect(await one(ibm, 'bxf-4x16')).toMatchObject({ vcpu_count: { value: 4 }, memory: { value: 16 } })
  expect(await one(ibm, 'bz2-2x8')).toMatchObject({ vcpu_architecture: { value: 's390x' } })
})

test('how many processors a profile has may be said in another form', async () => {
  await using ibm = await startIbm({ behaviour: { vcpuCount: 'enum' } })
  expect((await one(ibm, 'bxf-4x16'))['vcpu_count']).toEqual({ type: 'enum', default: 4, values: [4] })
})

test('a profile that there is not', async () => {
  await using ibm = await startIbm()
  expect(await refusalOf(one(ibm, 'bxf-3x9'))).toMatchObject({ status: 404, code: 'not_found' })
})
