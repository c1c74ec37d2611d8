import { expect, test } from 'vitest'
import { startIbm, usualLaunch, type Json } from './fixture.ts'

/** What IBM's own typed clients cannot do without; the first that is missing is an error to them. */
const required = `availability availability_policy bandwidth boot_volume_attachment cluster_network_attachments
  confidential_compute_mode created_at crn disks enable_secure_boot health_reasons health_state href id
  lifecycle_reasons lifecycle_state memory metadata_service name network_attachments network_interfaces
  primary_network_interface profile reservation_affinity resource_group resource_type software_attachments startable
  status status_reasons threads_per_core total_network_bandwidth total_volume_bandwidth vcpu volume_attachments
  volume_bandwidth_qos_mode vpc zone`.split(/\s+/)

const lists = required.filter((name) => /(reasons|attachments|interfaces|disks)$/.test(name))

function expectComplete(instance: Json): void {
  expect(required.filter((name) => instance[name] === undefined || instance[name] === null)).toEqual([])
  expect(lists.filter((name) => !Array.isArray(instance[name]))).toEqual([])
}

test('an instance has every property that typed clients need: when it is created, by itself and in lists', async () => {
  await using ibm = await startIbm()
  const created = await ibm.launch()
  await ibm.clock.advance(2000)
  for (const shown of [created, await ibm.look(String(created['id'])), ...(await ibm.client.list('instances'))]) {
    expectComplete(shown)
  }
})

test('a running spot instance shows all that a provider reads', async () => {
  await using ibm = await startIbm()
  const { facts, url } = ibm.simulator
  const id = await ibm.launchOne({ name: 'worker' })
  const created = `${new Date(ibm.clock.now()).toISOString().slice(0, 19)}Z`
  await ibm.clock.advance(2000)
  const href = `${url}/v1/instances/${id}`
  const address = { address: '10.240.0.4', resource_type: 'subnet_reserved_ip' }
  const subnet = { id: facts.subnet, name: 'spot-us-south-1', resource_type: 'subnet' }
  expect(await ibm.look(id)).toMatchObject({
    id: expect.stringMatching(/^0717_[0-9a-f-]{36}$/) as string,
    crn: `crn:v1:bluemix:public:is:us-south-1:a/${facts.accountId}::instance:${id}`,
    href,
    name: 'worker',
    created_at: created,
    status: 'running',
    status_reasons: [],
    lifecycle_state: 'stable',
    lifecycle_reasons: [],
    health_state: 'ok',
    health_reasons: [],
    startable: false,
    availability: { class: 'spot' },
    availability_policy: { host_failure: 'restart', preemption: 'stop' },
    reservation_affinity: { policy: 'disabled', pool: [] },
    profile: { name: 'bxf-2x8', href: `${url}/v1/instance/profiles/bxf-2x8`, resource_type: 'instance_profile' },
    zone: { name: 'us-south-1', href: `${url}/v1/regions/us-south/zones/us-south-1` },
    vpc: { id: facts.vpc, crn: `crn:v1:bluemix:public:is:us-south:a/${facts.accountId}::vpc:${facts.vpc}` },
    resource_group: { id: facts.resourceGroup, name: 'spot' },
    image: { id: facts.image },
    vcpu: { count: 2, architecture: 'amd64', percentage: 100 },
    memory: 8,
    metadata_service: { enabled: false, protocol: 'http', response_hop_limit: 1 },
    primary_network_interface: { primary_ip: address, subnet, resource_type: 'network_interface' },
    primary_network_attachment: {
      primary_ip: address,
      subnet,
      resource_type: 'instance_network_attachment',
      virtual_network_interface: { resource_type: 'virtual_network_interface' },
    },
    boot_volume_attachment: { href: expect.stringContaining(`${href}/volume_attachments/`) as string },
  })
})

test('an instance with GPUs and disks of its own says so', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne({ profile: { name: 'gx3d-160x1792x8h100' } })
  expect(await ibm.look(id)).toMatchObject({
    gpu: { count: 8, manufacturer: 'nvidia', model: 'H100', memory: 640 },
    disks: [{ size: 61_440, interface_type: 'virtio_blk' }],
    vcpu: { count: 160 },
    memory: 1792,
  })
})

test('an interface of the old kind shows nothing of the new ones', async () => {
  await using ibm = await startIbm()
  const { subnet, securityGroup } = ibm.simulator.facts
  const shown = await ibm.launch({
    primary_network_attachment: undefined,
    primary_network_interface: { subnet: { id: subnet }, security_groups: [{ id: securityGroup }], name: 'eth0' },
    network_interfaces: [{ subnet: { id: subnet } }],
  })
  expectComplete(shown)
  expect(shown).not.toHaveProperty('primary_network_attachment')
  expect(shown).toMatchObject({ network_attachments: [], primary_network_interface: { name: 'eth0' } })
  expect(shown['network_interfaces']).toHaveLength(2)
  expect(await ibm.client.list('virtual_network_interfaces')).toEqual([])
})

test('what IBM is not told it decides itself', async () => {
  await using ibm = await startIbm()
  const { facts } = ibm.simulator
  const shown = (
    await ibm.client.call('POST', '/instances', {
      body: {
        zone: { name: 'us-south-2' },
        image: { id: facts.image },
        primary_network_attachment: { virtual_network_interface: { subnet: { id: facts.subnets[1]?.id } } },
      },
    })
  ).result
  expect(shown).toMatchObject({
    name: expect.stringMatching(/^[a-z]+(-[a-z]+){3}-[0-9a-f]{6}$/) as string,
    id: expect.stringMatching(/^0727_/) as string,
    profile: { name: 'bxf-2x8' },
    availability: { class: 'standard' },
    availability_policy: { host_failure: 'restart', preemption: 'stop' },
    reservation_affinity: { policy: 'automatic' },
    resource_group: { name: 'Default' },
    vpc: { id: facts.vpc },
  })
  expect(await ibm.client.list('volumes')).toMatchObject([{ capacity: 10, profile: { name: 'general-purpose' } }])
  expect(await ibm.client.list('virtual_network_interfaces')).toMatchObject([
    { auto_delete: false, security_groups: [{ name: 'spot-default' }], protocol_state_filtering_mode: 'auto' },
  ])
})

test('before November 2024 nothing was taken from reservations unasked', async () => {
  await using ibm = await startIbm()
  const body = { availability: undefined, reservation_affinity: undefined }
  const policyAt = async (version: string) => {
    const usual = { ...usualLaunch(ibm.simulator), ...body, name: `at-${version}` }
    const { result } = await ibm.client.call('POST', '/instances', { body: usual, qs: { version } })
    return (result['reservation_affinity'] as { policy: string }).policy
  }
  expect([await policyAt('2024-11-18'), await policyAt('2024-11-19')]).toEqual(['disabled', 'automatic'])
})
