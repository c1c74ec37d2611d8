import { describe, expect, it } from 'vitest'
import {
  group,
  groupPath,
  image,
  scope,
  subscription,
  wantedWith,
  type Given,
} from '../../../test/support/clouds/azure-specs.ts'
import { subnetsFor } from './placement.ts'
import { plan } from './plan.ts'
import type { AzureRequest } from './request.ts'
import { failureDomainsOf, readWanted, scopeOf } from './wanted.ts'

const planned = async (given: Given = {}) => {
  const wanted = readWanted(wantedWith(given), scope)
  return plan(wanted, await subnetsFor(wanted))
}
const requested = async (given: Given = {}) => (await planned(given)).request as AzureRequest
const subnetId = (name: string, of = group, network = 'spot') =>
  `/subscriptions/${subscription}/resourceGroups/${of}/providers/Microsoft.Network/virtualNetworks/${network}/subnets/${name}`
const invalid = expect.objectContaining({ kind: 'invalid' }) as Error

describe('a machine that says no more than it must', () => {
  it('is a regular one, in any zone, in the cluster’s subnet', async () => {
    expect(await planned()).toEqual({
      request: {
        location: 'westus2',
        bought: { capacityType: 'OnDemand', instanceType: 'Standard_D2s_v5', zone: '' },
        additionalTags: {},
        interface: {
          ipConfigurations: [
            {
              name: 'ipConfig0',
              properties: { primary: true, privateIPAllocationMethod: 'Dynamic', subnet: { id: subnetId('nodes') } },
            },
          ],
        },
        machine: {
          plan: undefined,
          identity: undefined,
          image: { id: image },
          osDisk: { osType: 'Linux', caching: 'None' },
          dataDisks: [],
          properties: { diagnosticsProfile: { bootDiagnostics: { enabled: true } } },
        },
        sshKey: undefined,
      },
      offering: { capacityType: 'OnDemand', instanceType: 'Standard_D2s_v5', zone: '' },
      subnet: 'nodes',
      otherSubnets: 0,
    })
  })

  it('asks the same each time, whatever its name', async () => {
    expect(JSON.stringify(await planned({ name: 'm2' }))).toBe(JSON.stringify(await planned()))
  })
})

describe('the market', () => {
  it.each([
    [{}, { priority: 'Spot', evictionPolicy: 'Deallocate' }],
    [{ maxPrice: '-1' }, { billingProfile: { maxPrice: -1 } }],
    [{ maxPrice: -1 }, { billingProfile: { maxPrice: -1 } }],
    [{ maxPrice: 1000 }, { billingProfile: { maxPrice: 1000 } }],
    [{ maxPrice: '0.05' }, { billingProfile: { maxPrice: 0.05 } }],
    [{ evictionPolicy: 'Delete' }, { evictionPolicy: 'Delete' }],
  ] as const)('spot on the terms %j', async (spotVMOptions, properties) => {
    const { request, offering } = await planned({ machine: { spotVMOptions } })
    expect((request as AzureRequest).machine.properties).toMatchObject(properties)
    expect(offering.capacityType).toBe('Spot')
  })

  it.each([{}, { maxPrice: '' }])('spot without a price of its own: %j', async (spotVMOptions) => {
    expect((await requested({ machine: { spotVMOptions } })).machine.properties).not.toHaveProperty('billingProfile')
  })

  it('spot with a disk on the host: only deletion is possible', async () => {
    const { machine } = await requested({
      machine: { spotVMOptions: {}, osDisk: { diffDiskSettings: { option: 'Local', placement: 'CacheDisk' } } },
    })
    expect(machine.properties).toMatchObject({ evictionPolicy: 'Delete' })
    expect(machine.osDisk).toMatchObject({
      caching: 'ReadOnly',
      diffDiskSettings: { option: 'Local', placement: 'CacheDisk' },
    })
  })

  it('a reservation', async () => {
    const { request, offering } = await planned({ machine: { capacityReservationGroupID: '/r' } })
    expect(offering.capacityType).toBe('Reserved')
    expect((request as AzureRequest).machine.properties).toMatchObject({
      capacityReservation: { capacityReservationGroup: { id: '/r' } },
    })
  })
})

describe('the zone', () => {
  it('is the Machine’s failure domain', async () => {
    const { request, offering } = await planned({ failureDomain: '2' })
    expect([offering.zone, (request as AzureRequest).bought.zone]).toEqual(['2', '2'])
  })

  it('has Azure’s own name', async () => {
    await expect(planned({ failureDomain: 'westus2-1' })).rejects.toThrow(invalid)
    await expect(planned({ failureDomain: 'westus2-1' })).rejects.toThrow(
      /^spec\.failureDomain of the Machine is westus2-1, but the zones of Azure/,
    )
  })
})

describe('the image', () => {
  const gallery = { gallery: 'mine', name: 'ubuntu', version: '1.2.3' }
  const reference = async (given: Given) => (await requested(given)).machine.image

  it('is Cluster API’s of the Machine’s version, where none is named', async () => {
    expect(await reference({ machine: { image: undefined }, version: 'v1.36.3' })).toEqual({
      communityGalleryImageId:
        '/CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images/capi-ubun2-2404/Versions/1.36.3',
    })
    await expect(planned({ machine: { image: undefined } })).rejects.toThrow(invalid)
    await expect(planned({ machine: { image: undefined } })).rejects.toThrow(/^No image: set spec\.image/)
  })

  it('is of a gallery of one’s own, or of a community’s', async () => {
    expect(await reference({ machine: { image: { computeGallery: gallery } } })).toEqual({
      communityGalleryImageId: '/CommunityGalleries/mine/Images/ubuntu/Versions/1.2.3',
    })
    const own = { ...gallery, subscriptionID: subscription, resourceGroup: group }
    expect(await reference({ machine: { image: { computeGallery: own } } })).toEqual({
      id: `${groupPath}/providers/Microsoft.Compute/galleries/mine/images/ubuntu/versions/1.2.3`,
    })
  })

  it('is bought by a plan, where it has one', async () => {
    const marketplace = { publisher: 'p', offer: 'o', sku: 's', version: 'latest' }
    expect((await requested({ machine: { image: { marketplace } } })).machine).toMatchObject({
      image: marketplace,
      plan: undefined,
    })
    expect(
      (await requested({ machine: { image: { marketplace: { ...marketplace, thirdPartyImage: true } } } })).machine
        .plan,
    ).toEqual({ publisher: 'p', product: 'o', name: 's' })
    const ofGallery = { ...gallery, plan: { publisher: 'p', offer: 'o', sku: 'n' } }
    expect((await requested({ machine: { image: { computeGallery: ofGallery } } })).machine.plan).toEqual({
      publisher: 'p',
      product: 'o',
      name: 'n',
    })
  })
})

describe('subnets', () => {
  const network = {
    vnet: { name: 'v', resourceGroup: 'net' },
    subnets: [{ name: 'cp', role: 'control-plane' as const }, { name: 'a' }, { name: 'b', role: 'node' as const }],
  }

  it('are those for nodes, one after the other', async () => {
    const cluster = { networkSpec: network }
    expect(await planned({ cluster })).toMatchObject({ subnet: 'a', otherSubnets: 1 })
    expect(await planned({ cluster, exclude: ['a'] })).toMatchObject({ subnet: 'b', otherSubnets: 0 })
    expect(JSON.stringify((await requested({ cluster })).interface)).toContain(subnetId('a', 'net', 'v'))
    await expect(planned({ cluster, exclude: ['a', 'b'] })).rejects.toThrow(
      expect.objectContaining({ kind: 'subnet', code: 'SubnetIsFull' }),
    )
  })

  it('is the one where it was asked for before, in that zone, whatever the specs say by now', async () => {
    const at = { subnet: 'b', zone: '2' }
    const again = await planned({ at, cluster: { networkSpec: network }, failureDomain: '3' })
    expect(again).toMatchObject({ subnet: 'b', otherSubnets: 1, offering: { zone: '2' } })
    expect(JSON.stringify(again.request)).toContain(subnetId('b', 'net', 'v'))
    expect(await planned({ at, cluster: { networkSpec: network }, exclude: ['a'] })).toMatchObject({ otherSubnets: 0 })
    const none = { vnet: { name: 'v' }, subnets: [] }
    expect(await planned({ at, cluster: { networkSpec: none } })).toMatchObject({ subnet: 'b', otherSubnets: 0 })
    expect((await planned({ at: { subnet: 'a', zone: '' }, failureDomain: '1' })).offering.zone).toBe('')
  })

  it('may be the machine’s own, in either way to say so', async () => {
    expect((await planned({ machine: { networkInterfaces: [{ subnetName: 'own' }] } })).subnet).toBe('own')
    expect(await planned({ machine: { subnetName: 'own' } })).toMatchObject({ subnet: 'own', otherSubnets: 0 })
  })

  it('have to be there', async () => {
    const cluster = { networkSpec: { vnet: { name: 'v' }, subnets: [{ name: 'x', role: 'bastion' as const }] } }
    await expect(planned({ cluster })).rejects.toThrow(invalid)
    await expect(planned({ cluster })).rejects.toThrow(/^spec\.networkSpec\.subnets of the AzureCluster/)
  })
})

describe('the rest', () => {
  it('of the network', async () => {
    const { interface: nic } = await requested({
      machine: {
        networkInterfaces: [{ privateIPConfigs: 2, acceleratedNetworking: true }],
        enableIPForwarding: true,
        dnsServers: ['10.0.0.10'],
      },
    })
    expect(nic).toMatchObject({
      ipConfigurations: [
        { name: 'ipConfig0', properties: { primary: true } },
        { name: 'ipConfig1', properties: { primary: false } },
      ],
      enableAcceleratedNetworking: true,
      enableIPForwarding: true,
      dnsSettings: { dnsServers: ['10.0.0.10'] },
    })
    expect((await requested({ machine: { acceleratedNetworking: false } })).interface).toMatchObject({
      enableAcceleratedNetworking: false,
    })
    await expect(requested({ machine: { dnsServers: ['10.0.0.10', 'ns.example.com'] } })).rejects.toThrow(
      /^spec\.dnsServers of the AzureMachine: ns\.example\.com is not an address/,
    )
  })

  it('of the disks', async () => {
    const managedDisk = { storageAccountType: 'Premium_LRS' as const, diskEncryptionSet: { id: '/d' } }
    const { machine } = await requested({
      machine: {
        osDisk: { diskSizeGB: 64, cachingType: 'ReadWrite', managedDisk },
        dataDisks: [
          { nameSuffix: 'a', diskSizeGB: 4 },
          { nameSuffix: 'b', diskSizeGB: 8, cachingType: 'None', managedDisk },
        ],
      },
    })
    expect(machine.osDisk).toEqual({ osType: 'Linux', caching: 'ReadWrite', diskSizeGB: 64, managedDisk })
    expect(machine.dataDisks).toEqual([
      { suffix: 'a', lun: 0, diskSizeGB: 4, caching: 'ReadWrite' },
      { suffix: 'b', lun: 1, diskSizeGB: 8, caching: 'None', managedDisk },
    ])
  })

  it('of the machine', async () => {
    const id = `${groupPath}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i`
    const securityProfile = { securityType: 'TrustedLaunch' as const, uefiSettings: { vTpmEnabled: true } }
    const { machine } = await requested({
      machine: {
        identity: 'UserAssigned',
        userAssignedIdentities: [{ providerID: `azure://${id}` }],
        securityProfile,
        diagnostics: { boot: { storageAccountType: 'Disabled' } },
      },
    })
    expect(machine.identity).toEqual({ type: 'UserAssigned', userAssignedIdentities: { [id]: {} } })
    expect(machine.properties).toMatchObject({
      securityProfile,
      diagnosticsProfile: { bootDiagnostics: { enabled: false } },
    })
    expect((await requested({ machine: { identity: 'SystemAssigned' } })).machine.identity).toEqual({
      type: 'SystemAssigned',
    })
    expect((await requested({ machine: { identity: 'None' } })).machine.identity).toBeUndefined()
  })

  it('of the tags: the machine’s win over the cluster’s', async () => {
    const given = { cluster: { additionalTags: { a: '1', b: '1' } }, machine: { additionalTags: { b: '2' } } }
    expect((await requested(given)).additionalTags).toEqual({ a: '1', b: '2' })
  })

  it('of who may log in', async () => {
    const encoded = (line: string) => Buffer.from(line).toString('base64')
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@home'
    expect((await requested({ machine: { sshPublicKey: encoded(`${key}\n`) } })).sshKey).toBe(key)
    expect((await requested({ machine: { sshPublicKey: '' } })).sshKey).toBeUndefined()
    for (const wrong of ['nonsense', `${key}\n${key}`, 'ssh-dss AAAA']) {
      await expect(planned({ machine: { sshPublicKey: encoded(wrong) } })).rejects.toThrow(invalid)
    }
  })
})

describe('the scope', () => {
  it('is the cluster’s subscription, location and group', () => {
    expect(scopeOf(wantedWith().cluster, { AZURE_SUBSCRIPTION_ID: 'other' })).toEqual(scope)
  })

  it('is the manager’s subscription where the cluster names none', () => {
    const { cluster } = wantedWith({ cluster: { subscriptionID: undefined } })
    expect(scopeOf(cluster, { AZURE_SUBSCRIPTION_ID: subscription.toUpperCase() }).account).toBe(subscription)
    expect(scopeOf(cluster, {}).account).toBeUndefined()
  })

  it('has the zones that the cluster says', () => {
    const { cluster } = wantedWith({ cluster: { failureDomains: { '2': { controlPlane: true }, '1': {} } } })
    expect(failureDomainsOf(cluster.spec)).toEqual([
      { name: '1', controlPlane: false },
      { name: '2', controlPlane: false },
    ])
    expect(failureDomainsOf(wantedWith().cluster.spec)).toEqual([])
  })
})

it('with an owner id that no name can hold nothing is begun', async () => {
  await expect(planned({ owner: 'By-Hand' })).rejects.toThrow(/Remove the annotation/)
  expect((await planned({ owner: 'ownerone01' })).subnet).toBe('nodes')
})
