import { nameFor } from '../../shared/instance-name.ts'
import { describe, expect, it } from 'vitest'
import { groupPath, image, scope, wantedWith, type Given } from '../../../test/support/clouds/azure-specs.ts'
import type { Launch } from '../../instances.ts'
import { type VmAddress } from '../wire/resource-ids.ts'
import { plan } from './plan.ts'
import { providerIDOf } from '../observe/provider-id.ts'
import { bodiesFor } from './request.ts'
import { readWanted } from './wanted.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const vm: VmAddress = { scope, group: scope.within ?? '', name: nameFor(ours) }
const { name } = vm

function bodies(given: Given = {}) {
  const { request } = plan(readWanted(wantedWith(given), scope), ['nodes'])
  const userData = new TextEncoder().encode('#cloud-config\n')
  const want: Launch = { ...ours, scope, request, userData, clusterName: 'c1' }
  return bodiesFor(want, vm, () => 'ssh-ed25519 NEW')
}

const tags = {
  Name: 'm1',
  'kubernetes.io_cluster_c1': 'owned',
  'spot.cluster.x-k8s.io_owner-id': 'ownerone01',
  'spot.cluster.x-k8s.io_machine': 'default/m1',
  'spot.cluster.x-k8s.io_attempt': 'tokennumber1',
  'spot.cluster.x-k8s.io_capacity-type': 'Spot',
  'spot.cluster.x-k8s.io_vm-size': 'Standard_D2s_v5',
  'spot.cluster.x-k8s.io_zone': '1',
}

describe('the bodies of both calls', () => {
  it('are what Azure takes of a spot machine in a zone', () => {
    const given = {
      failureDomain: '1',
      machine: {
        spotVMOptions: { maxPrice: '0.05' },
        osDisk: { diskSizeGB: 64 },
        dataDisks: [{ nameSuffix: 'etcd', diskSizeGB: 4 }],
        additionalTags: { team: 'batch' },
      },
    }
    expect(bodies(given)).toEqual({
      secret: 'I2Nsb3VkLWNvbmZpZwo=',
      interface: {
        location: 'westus2',
        tags: { ...tags, team: 'batch' },
        properties: {
          ipConfigurations: [
            {
              name: 'ipConfig0',
              properties: {
                primary: true,
                privateIPAllocationMethod: 'Dynamic',
                subnet: { id: `${groupPath}/providers/Microsoft.Network/virtualNetworks/spot/subnets/nodes` },
              },
            },
          ],
        },
      },
      machine: {
        location: 'westus2',
        tags: { ...tags, team: 'batch' },
        zones: ['1'],
        properties: {
          hardwareProfile: { vmSize: 'Standard_D2s_v5' },
          priority: 'Spot',
          evictionPolicy: 'Deallocate',
          billingProfile: { maxPrice: 0.05 },
          diagnosticsProfile: { bootDiagnostics: { enabled: true } },
          storageProfile: {
            imageReference: { id: image },
            osDisk: {
              name: `${name}_OSDisk`,
              osType: 'Linux',
              caching: 'None',
              createOption: 'FromImage',
              diskSizeGB: 64,
              deleteOption: 'Delete',
            },
            dataDisks: [
              {
                name: `${name}_etcd`,
                lun: 0,
                diskSizeGB: 4,
                caching: 'ReadWrite',
                createOption: 'Empty',
                deleteOption: 'Delete',
              },
            ],
          },
          osProfile: {
            computerName: name,
            adminUsername: 'capi',
            customData: 'I2Nsb3VkLWNvbmZpZwo=',
            linuxConfiguration: {
              disablePasswordAuthentication: true,
              ssh: { publicKeys: [{ path: '/home/capi/.ssh/authorized_keys', keyData: 'ssh-ed25519 NEW' }] },
            },
          },
          networkProfile: {
            networkInterfaces: [
              {
                id: `${groupPath}/providers/Microsoft.Network/networkInterfaces/${name}-nic`,
                properties: { primary: true, deleteOption: 'Delete' },
              },
            ],
          },
        },
      },
    })
  })

  it('say nothing of what was not asked for', () => {
    const { machine } = bodies({ machine: { sshPublicKey: Buffer.from('ssh-rsa AAAA').toString('base64') } })
    expect(Object.keys(machine)).toEqual(['location', 'tags', 'properties'])
    const { properties } = machine as { properties: Record<string, unknown> }
    expect(Object.keys(properties)).not.toContain('priority')
    expect(JSON.stringify(properties['storageProfile'])).not.toContain('dataDisks')
    expect(JSON.stringify(properties['osProfile'])).toContain('ssh-rsa AAAA')
  })

  it('have plan and identity where Azure looks for them', () => {
    const marketplace = { publisher: 'p', offer: 'o', sku: 's', version: 'latest', thirdPartyImage: true }
    const { machine } = bodies({ machine: { image: { marketplace }, identity: 'SystemAssigned' } })
    expect(machine).toMatchObject({
      plan: { publisher: 'p', product: 'o', name: 's' },
      identity: { type: 'SystemAssigned' },
    })
  })
})

it('the providerID is that of Azure’s cloud provider: the group in small letters', () => {
  const account = `/subscriptions/${scope.account}/resourceGroups/spot-workers`
  const instance = {
    id: '',
    name,
    account,
    state: 'running',
    started: true,
    tag: undefined,
    capacityType: 'Spot',
    instanceType: '',
    zone: '',
    addresses: [],
  } as const
  expect(providerIDOf(instance)).toBe(
    `azure:///subscriptions/${scope.account}/resourceGroups/spot-workers/providers/Microsoft.Compute/virtualMachines/${name}`,
  )
})
