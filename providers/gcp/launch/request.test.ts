import { describe, expect, it } from 'vitest'
import { FakeLookups, image, scope, wantedWith, type Given } from '../../../test/support/clouds/gcp-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { Launch } from '../../instances.ts'
import { machineDigest } from '../../shared/ownership.ts'
import { plan } from './plan.ts'
import { insertBody, type GcpRequest } from './request.ts'

async function launch(given: Given, over: Partial<Launch> = {}): Promise<Launch> {
  const { request } = await plan(wantedWith(given), new FakeLookups(), quietCtx())
  const userData = new TextEncoder().encode('#cloud-config')
  const whose = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
  return { ...whose, scope, request, userData, clusterName: 'c1', ...over }
}

/** As it goes over the wire. */
async function body(given: Given, over: Partial<Launch> = {}): Promise<unknown> {
  const want = await launch(given, over)
  return JSON.parse(JSON.stringify(insertBody(want, (want.request as GcpRequest).zone)))
}

const tag = machineDigest('default/m1')
const labels = {
  'capspot-cluster': 'c1',
  'capspot-owner-id': 'ownerone01',
  'capspot-machine': tag,
  'capspot-attempt': 'tokennumber1',
}
const zone = 'zones/europe-west1-b'

/** In every request. */
const common = {
  name: `m1-ownerone01-${tag}-tokennumber1`,
  machineType: `${zone}/machineTypes/e2-standard-4`,
  labels,
  tags: { items: ['c1-node', 'c1'] },
  canIpForward: true,
  disks: [
    {
      boot: true,
      autoDelete: true,
      initializeParams: { sourceImage: image, diskType: `${zone}/diskTypes/pd-standard`, labels },
    },
  ],
  networkInterfaces: [{ network: 'projects/my-project/global/networks/default' }],
  serviceAccounts: [{ email: 'default', scopes: ['https://www.googleapis.com/auth/cloud-platform'] }],
  metadata: { items: [{ key: 'user-data', value: '#cloud-config' }] },
}

describe('the golden request', () => {
  it('of a machine that says no more than it has to', async () => {
    expect(await body({})).toEqual({ ...common, scheduling: { provisioningModel: 'STANDARD' } })
  })

  it('of a spot machine', async () => {
    expect(await body({ machine: { provisioningModel: 'Spot' } })).toEqual({
      ...common,
      scheduling: {
        provisioningModel: 'SPOT',
        instanceTerminationAction: 'STOP',
        automaticRestart: false,
        onHostMaintenance: 'TERMINATE',
      },
      reservationAffinity: { consumeReservationType: 'NO_RESERVATION' },
    })
  })

  it('of a spot machine with everything', async () => {
    const kmsKeyName = 'projects/my-project/locations/europe-west1/keyRings/r/cryptoKeys/k'
    const all = await body({
      machine: {
        provisioningModel: 'Spot',
        instanceTerminationAction: 'Delete',
        preemptionNoticeDuration: '120s',
        subnet: 'nodes',
        publicIP: true,
        aliasIPRanges: [{ ipCidrRange: '/24', subnetworkRangeName: 'pods' }],
        additionalLabels: { team: 'a', 'capspot-owner-id': 'stolen' },
        additionalMetadata: [{ key: 'serial-port-enable', value: 'true' }, { key: 'empty' }],
        additionalNetworkTags: ['web', 'c1'],
        rootDeviceSize: 100,
        rootDeviceType: 'pd-ssd',
        rootDiskEncryptionKey: {
          keyType: 'Managed',
          managedKey: { kmsKeyName },
          kmsKeyServiceAccount: 'kms@my-project.iam.gserviceaccount.com',
        },
        additionalDisks: [{}, { deviceType: 'hyperdisk-balanced', size: 50 }, { deviceType: 'local-ssd' }],
        serviceAccounts: { email: 'nodes@my-project.iam.gserviceaccount.com', scopes: ['https://a'] },
        ipForwarding: 'Disabled',
        shieldedInstanceConfig: { secureBoot: 'Enabled' },
        confidentialCompute: 'AMDEncryptedVirtualizationNestedPaging',
        guestAccelerators: [{ type: 'projects/p/zones/z/acceleratorTypes/nvidia-tesla-t4', count: 2 }],
      },
      cluster: { additionalLabels: { team: 'b', env: 'test' } },
    })
    const given = { team: 'a', env: 'test', ...labels }
    expect(all).toEqual({
      ...common,
      labels: given,
      tags: { items: ['c1-node', 'c1', 'web'] },
      scheduling: {
        provisioningModel: 'SPOT',
        instanceTerminationAction: 'DELETE',
        preemptionNoticeDuration: { seconds: '120' },
        automaticRestart: false,
        onHostMaintenance: 'TERMINATE',
      },
      reservationAffinity: { consumeReservationType: 'NO_RESERVATION' },
      canIpForward: false,
      disks: [
        {
          boot: true,
          autoDelete: true,
          initializeParams: {
            sourceImage: image,
            diskType: `${zone}/diskTypes/pd-ssd`,
            diskSizeGb: '100',
            labels: given,
          },
          diskEncryptionKey: { kmsKeyName, kmsKeyServiceAccount: 'kms@my-project.iam.gserviceaccount.com' },
        },
        {
          boot: false,
          autoDelete: true,
          initializeParams: { diskType: `${zone}/diskTypes/pd-standard`, diskSizeGb: '30', labels: given },
        },
        {
          boot: false,
          autoDelete: true,
          initializeParams: { diskType: `${zone}/diskTypes/hyperdisk-balanced`, diskSizeGb: '50', labels: given },
        },
        {
          type: 'SCRATCH',
          interface: 'NVME',
          autoDelete: true,
          initializeParams: { diskType: `${zone}/diskTypes/local-ssd` },
        },
      ],
      networkInterfaces: [
        {
          subnetwork: 'projects/my-project/regions/europe-west1/subnetworks/nodes',
          accessConfigs: [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }],
          aliasIpRanges: [{ ipCidrRange: '/24', subnetworkRangeName: 'pods' }],
        },
      ],
      serviceAccounts: [{ email: 'nodes@my-project.iam.gserviceaccount.com', scopes: ['https://a'] }],
      shieldedInstanceConfig: { enableSecureBoot: true, enableVtpm: true, enableIntegrityMonitoring: true },
      confidentialInstanceConfig: { confidentialInstanceType: 'SEV_SNP' },
      guestAccelerators: [{ acceleratorType: `${zone}/acceleratorTypes/nvidia-tesla-t4`, acceleratorCount: 2 }],
      metadata: {
        items: [
          { key: 'serial-port-enable', value: 'true' },
          { key: 'empty', value: '' },
          { key: 'user-data', value: '#cloud-config' },
        ],
      },
    })
  })

  it('of a machine in a reservation', async () => {
    const reservationAffinity = { consumeReservationType: 'SPECIFIC_RESERVATION', values: ['r1'] } as const
    expect(
      await body({
        machine: { reservationAffinity: { ...reservationAffinity, values: ['r1'] }, confidentialCompute: 'Enabled' },
      }),
    ).toEqual({
      ...common,
      scheduling: { provisioningModel: 'STANDARD' },
      reservationAffinity: { ...reservationAffinity, key: 'compute.googleapis.com/reservation-name' },
      confidentialInstanceConfig: { enableConfidentialCompute: true },
    })
  })
})

describe('the request', () => {
  it('names one zone everywhere: that in which the attempt asks', async () => {
    const want = await launch({ machine: { guestAccelerators: [{ type: 'nvidia-l4', count: 1 }] } })
    const text = JSON.stringify(insertBody(want, 'europe-west1-d'))
    expect(text).toContain('zones/europe-west1-d/acceleratorTypes/nvidia-l4')
    expect(text).not.toContain('europe-west1-b')
  })

  it('has no network tags that GCE would not take, and bootstrap data that nobody can replace', async () => {
    const machine = { additionalMetadata: [{ key: 'user-data', value: 'another' }] }
    expect(await body({ machine }, { clusterName: '1.2' })).toMatchObject({
      tags: { items: [] },
      labels: { 'capspot-cluster': '1_2' },
      metadata: { items: [{ key: 'user-data', value: '#cloud-config' }] },
    })
  })

  it('does not hold the bootstrap data until it is sent', async () => {
    expect(JSON.stringify((await launch({})).request)).not.toContain('cloud-config')
  })
})
