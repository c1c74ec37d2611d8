import { describe, expect, test } from 'vitest'
import { cluster, clusterCases, machine } from './cases/crd-cases.ts'
import { create, onTheApiserver, patch, rulesWithoutCase, specFields, specOf, tryCases } from './rigs/crd-trial.ts'
import { machineCases } from './cases/machine-cases.ts'
import { policyCases } from './cases/policy-cases.ts'

/**
 * The API server's checks of our kinds: a case on either side of every rule. That they install shows that the rules are
 * within its cost limit.
 */
onTheApiserver()

describe('AWSMachine', () => {
  tryCases('AWSMachine', machineCases, (spec) => ({ ...machine, ...spec }))

  test('has a name that fits into a tag together with its namespace', async () => {
    await expect(create('AWSMachine', machine, 'm'.repeat(192))).resolves.toBeDefined()
    await expect(create('AWSMachine', machine, 'm'.repeat(193))).rejects.toThrow(
      'metadata.name must have at most 192 characters',
    )
  })

  const full = {
    ...machine,
    imageLookupFormat: 'a-*',
    imageLookupOrg: 'self',
    imageLookupBaseOS: 'al2023',
    marketType: 'Spot',
    spotMarketOptions: { maxPrice: '0.05' },
    capacityReservationPreference: 'None',
    subnet: { id: 'subnet-1' },
    publicIP: true,
    assignPrimaryIPv6: 'enabled',
    privateDnsName: { hostnameType: 'ip-name' },
    networkInterfaceType: 'efa',
    additionalSecurityGroups: [{ id: 'sg-1' }],
    iamInstanceProfile: 'node',
    sshKeyName: 'key',
    instanceMetadataOptions: { httpTokens: 'required' },
    rootVolume: { size: 8 },
    nonRootVolumes: [{ deviceName: '/dev/sdb', size: 8 }],
    uncompressedUserData: false,
    cloudInit: { insecureSkipSecretsManager: true },
    placementGroupName: 'group',
    placementGroupPartition: 1,
    tenancy: 'dedicated',
    cpuOptions: { confidentialCompute: 'AMDEncryptedVirtualizationNestedPaging' },
    additionalTags: { team: 'batch' },
    fallback: [{ capacityType: 'OnDemand' }],
    distribution: { onDemandBase: 1 },
  }
  /** Spot excludes it. */
  const reserved = { ...machine, capacityReservationId: 'cr-1' }
  const others: Record<string, unknown> = {
    instanceType: 'm5.xlarge',
    ami: { id: 'ami-1' },
    imageLookupFormat: 'b-*',
    imageLookupOrg: 'amazon',
    imageLookupBaseOS: 'flatcar',
    marketType: 'OnDemand',
    spotMarketOptions: { maxPrice: '0.06' },
    capacityReservationId: 'cr-2',
    capacityReservationPreference: 'Open',
    subnet: { id: 'subnet-2' },
    publicIP: false,
    assignPrimaryIPv6: 'disabled',
    privateDnsName: { hostnameType: 'resource-name' },
    networkInterfaceType: 'interface',
    additionalSecurityGroups: [{ id: 'sg-2' }],
    iamInstanceProfile: 'other',
    sshKeyName: 'other',
    instanceMetadataOptions: { httpTokens: 'optional' },
    rootVolume: { size: 9 },
    nonRootVolumes: [{ deviceName: '/dev/sdb', size: 9 }],
    uncompressedUserData: true,
    cloudInit: { insecureSkipSecretsManager: null },
    placementGroupName: 'other',
    placementGroupPartition: 2,
    tenancy: 'default',
    cpuOptions: { confidentialCompute: 'Disabled' },
    additionalTags: { team: 'web' },
    fallback: [{ capacityType: 'OnDemand', after: '10m' }],
    distribution: { onDemandBase: 2 },
  }
  const fields = specFields('AWSMachine')

  test.each(fields)('%s can be neither changed nor removed nor added', async (field) => {
    const fixed = `spec.${field}: Invalid value: this field cannot change after launch`
    const name = await create('AWSMachine', field in full ? full : reserved)
    await expect(patch('AWSMachine', name, { patch: { spec: { [field]: others[field] } } })).rejects.toThrow(fixed)
    if (field === 'instanceType') return
    await expect(patch('AWSMachine', name, { patch: { spec: { [field]: null } } })).rejects.toThrow(fixed)
    const bare = await create('AWSMachine', { instanceType: machine.instanceType })
    await expect(patch('AWSMachine', bare, { patch: { spec: { [field]: others[field] } } })).rejects.toThrow(fixed)
  })

  test('providerID is set once, and then neither changed nor removed, with or without its spec', async () => {
    const name = await create('AWSMachine', full)
    const set = (providerID: string | null) => patch('AWSMachine', name, { patch: { spec: { providerID } } })
    await expect(set('i-0123')).rejects.toThrow('spec.providerID in body should match')
    await set('aws:///eu-west-1a/i-0123')
    await set('aws:///eu-west-1a/i-0123')
    const fixed = 'spec.providerID: Invalid value: providerID identifies the instance of this machine'
    await expect(set('aws:///eu-west-1a/i-4567')).rejects.toThrow(fixed)
    await expect(set(null)).rejects.toThrow(fixed)
    await expect(patch('AWSMachine', name, { patch: { spec: null } })).rejects.toThrow('spec: Required value')
  })

  test('a status can only be what core is able to read', async () => {
    const name = await create('AWSMachine', machine)
    const status = (change: object) => patch('AWSMachine', name, { patch: { status: change }, subresource: 'status' })
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Running',
      message: '',
      lastTransitionTime: '2026-01-02T03:04:05Z',
    }
    await status({ interruptible: true, initialization: { provisioned: true }, conditions: [ready] })
    await expect(status({ interruptible: 'true' })).rejects.toThrow('interruptible in body must be of type boolean')
    await expect(status({ conditions: [{ ...ready, status: true }] })).rejects.toThrow('status.conditions[0].status')
    await expect(status({ conditions: [ready, ready] })).rejects.toThrow('status.conditions[1]: Duplicate value')
  })

  test('drops a spec.failureDomain, which core would take for the Machine', async () => {
    const name = await create('AWSMachine', { ...machine, failureDomain: 'eu-west-1a' })
    expect(await specOf('AWSMachine', name)).toEqual(machine)
  })
})

describe('AWSMachineTemplate', () => {
  const place = (spec: object) => ({ template: { spec: { ...machine, ...spec } } })
  tryCases('AWSMachineTemplate', machineCases, place, 'spec.template.spec')

  test('says what an autoscaler has to know of its machines', async () => {
    const name = await create('AWSMachineTemplate', { template: { spec: machine } })
    const status = (change: object) =>
      patch('AWSMachineTemplate', name, { patch: { status: change }, subresource: 'status' })
    await status({
      capacity: { cpu: '4', memory: '16384Mi', 'nvidia.com/gpu': '1', 'ephemeral-storage': '100Gi' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    })
    await expect(status({ capacity: { cpu: 'many' } })).rejects.toThrow('capacity.cpu in body should match')
    await expect(status({ nodeInfo: { architecture: 'x86_64' } })).rejects.toThrow('status.nodeInfo.architecture')
  })

  test('drops a providerID: a template is no instance', async () => {
    const template = { spec: { ...machine, providerID: 'aws:///eu-west-1a/i-0123' } }
    const name = await create('AWSMachineTemplate', { template })
    expect(await specOf('AWSMachineTemplate', name)).toEqual({ template: { spec: machine } })
  })
})

describe('AWSCluster', () => {
  tryCases('AWSCluster', clusterCases, (spec) => ({ ...cluster, ...spec }))

  test('stays in its region, and may get further subnets', async () => {
    const name = await create('AWSCluster', cluster)
    const change = (spec: object) => patch('AWSCluster', name, { patch: { spec } })
    await change({ network: { subnets: [{ id: 'subnet-1', availabilityZone: 'eu-west-1a' }] } })
    await expect(change({ region: 'eu-west-2' })).rejects.toThrow('spec.region: Invalid value: region cannot change')
  })
})

describe('AWSClusterTemplate', () => {
  const place = (spec: object) => ({ template: { spec: { ...cluster, ...spec } } })
  tryCases('AWSClusterTemplate', clusterCases, place, 'spec.template.spec')
})

describe('ExternalControlPlane', () => {
  test('needs no spec', async () => {
    await expect(create('ExternalControlPlane', undefined)).resolves.toBeDefined()
    await expect(create('ExternalControlPlane', {})).resolves.toBeDefined()
    const endpoint = { controlPlaneEndpoint: { host: 'h', port: 65_536 } }
    await expect(create('ExternalControlPlane', endpoint)).rejects.toThrow('spec.controlPlaneEndpoint.port')
  })
})

describe('InterruptionPolicy', () => {
  tryCases('InterruptionPolicy', policyCases, (spec) => ({ clusterName: 'c1', ...spec }))

  test('says by itself what it does not set', async () => {
    const name = await create('InterruptionPolicy', { clusterName: 'c1' })
    expect(await specOf('InterruptionPolicy', name)).toEqual({
      clusterName: 'c1',
      selector: {},
      backoff: { initialSeconds: 30, maxSeconds: 1800 },
      minHealthySeconds: 600,
      nodeStartupSeconds: 600,
      onNotice: 'DeleteMachine',
      onRebalance: 'ConditionOnly',
      replacement: 'Ahead',
      drain: 'AtOnce',
      heldPods: 'Delete',
      healthCheck: 'Managed',
    })
  })

  test('stays with its Cluster', async () => {
    const name = await create('InterruptionPolicy', { clusterName: 'c1' })
    const moved = patch('InterruptionPolicy', name, { patch: { spec: { clusterName: 'c2' } } })
    await expect(moved).rejects.toThrow('spec.clusterName: Invalid value: clusterName cannot change')
  })
})

test('every rule has a case', () => {
  expect(rulesWithoutCase('InterruptionPolicy', policyCases, ['clusterName cannot change'])).toEqual([])
  const bySelf = [
    'metadata.name must',
    'this field cannot change after launch',
    'providerID identifies the instance of this machine',
    'region cannot change',
  ]
  expect(rulesWithoutCase('AWS', [...machineCases, ...clusterCases], bySelf)).toEqual([])
})
