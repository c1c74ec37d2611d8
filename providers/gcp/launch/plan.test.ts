import { describe, expect, it } from 'vitest'
import { FakeLookups, image, wantedWith, type Given } from '../../../test/support/clouds/gcp-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { plan } from './plan.ts'
import type { GcpRequest } from './request.ts'

async function planned(given: Given = {}, lookups = new FakeLookups()) {
  const { request, ...rest } = await plan(wantedWith(given), lookups, quietCtx())
  return { ...rest, request: request as GcpRequest }
}

describe('a plan', () => {
  it('of the same specs is the same, and what it is to be bought as is told beside it', async () => {
    const given = { machine: { provisioningModel: 'Spot' } } as const
    expect(await planned(given)).toEqual(await planned(given))
    expect(await planned(given)).toMatchObject({
      offering: { capacityType: 'Spot', instanceType: 'e2-standard-4', zone: 'europe-west1-b' },
      subnet: 'network default',
      otherSubnets: 0,
      request: { zone: 'europe-west1-b' },
    })
  })

  it('is refused for an owner id that no name can hold, before anything is looked up', async () => {
    const lookups = new FakeLookups()
    const given = { owner: 'Written-By-Hand', cluster: { failureDomains: undefined } }
    await expect(planned(given, lookups)).rejects.toMatchObject({ kind: 'invalid', code: 'InvalidOwnerId' })
    expect(lookups.asked).toEqual([])
  })

  it('takes the labels of the machine over those of the cluster', async () => {
    const given = {
      machine: { additionalLabels: { team: 'a', app: 'x' } },
      cluster: { additionalLabels: { team: 'b', env: 'test' } },
    }
    expect((await planned(given)).request.additionalLabels).toEqual({ team: 'a', app: 'x', env: 'test' })
  })
})

describe('the image', () => {
  const family = 'projects/my-project/global/images/family/my-family'
  const imageOf = async (given: Given) => (await planned(given)).request.run.disks[0]?.image

  it('is the one that is named, else the newest of its family, else Cluster API’s own for the version', async () => {
    expect(await imageOf({ machine: { imageFamily: family } })).toBe(image)
    expect(await imageOf({ machine: { image: undefined, imageFamily: family } })).toBe(family)
    expect(await imageOf({ machine: { image: undefined }, version: 'v1.36.3' })).toBe(
      'projects/my-project/global/images/family/capi-ubuntu-2404-k8s-v1-36',
    )
  })

  it('is none without a version', async () => {
    await expect(imageOf({ machine: { image: undefined } })).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(
        'set spec.image or spec.imageFamily of the GCPMachine, or spec.version',
      ) as string,
    })
  })
})

describe('the network', () => {
  const subnets = [{ name: 'a' }, { name: 'elsewhere', region: 'us-east1' }, { name: 'b', region: 'europe-west1' }]
  const attached = async (given: Given) => {
    const { request, subnet, otherSubnets } = await planned(given)
    const { network, subnetwork } = request.run.networkInterface
    return { network, subnetwork, subnet, otherSubnets }
  }
  const at = (project: string, name: string) => `projects/${project}/regions/europe-west1/subnetworks/${name}`

  it('is the first subnet of the cluster in the region; the others are told of', async () => {
    expect(await attached({ cluster: { network: { subnets } } })).toEqual({
      network: undefined,
      subnetwork: at('my-project', 'a'),
      subnet: 'a',
      otherSubnets: 1,
    })
  })

  it('is the next where one was full, and none where all were', async () => {
    expect(await attached({ cluster: { network: { subnets } }, exclude: ['a'] })).toMatchObject({
      subnet: 'b',
      otherSubnets: 0,
    })
    await expect(attached({ cluster: { network: { subnets } }, exclude: ['a', 'b'] })).rejects.toMatchObject({
      kind: 'subnet',
    })
  })

  it('is where it was asked for before, whatever the specs say by now', async () => {
    const again = { at: { subnet: 'b', zone: 'europe-west1-b' } }
    expect(await attached({ ...again, cluster: { network: { subnets } } })).toMatchObject({
      subnet: 'b',
      otherSubnets: 1,
    })
    const full = { cluster: { network: { subnets } }, exclude: ['a'] }
    expect(await attached({ ...again, ...full })).toMatchObject({ subnet: 'b', otherSubnets: 0 })
    const own = { machine: { subnet: 'own' }, cluster: { network: { subnets } } }
    expect(await attached({ ...again, ...own })).toMatchObject({ subnetwork: at('my-project', 'b'), otherSubnets: 1 })
    const network = { at: { subnet: 'network auto', zone: 'europe-west1-b' } }
    expect(await attached({ ...network, cluster: { network: { subnets } } })).toEqual({
      network: 'projects/my-project/global/networks/auto',
      subnetwork: undefined,
      subnet: 'network auto',
      otherSubnets: 0,
    })
  })

  it('is the machine’s own subnet', async () => {
    const given = { machine: { subnet: 'own' }, cluster: { network: { subnets } } }
    expect(await attached(given)).toMatchObject({ subnetwork: at('my-project', 'own'), subnet: 'own', otherSubnets: 0 })
  })

  it('may be another project’s', async () => {
    const network = { name: 'shared', hostProject: 'host-project', subnets: [{ name: 'a' }] }
    expect(await attached({ cluster: { network } })).toMatchObject({
      network: 'projects/host-project/global/networks/shared',
      subnetwork: at('host-project', 'a'),
    })
  })

  it('without any subnet is the one that has subnets by itself', async () => {
    expect(await attached({ cluster: { network: { name: 'auto' } } })).toMatchObject({
      network: 'projects/my-project/global/networks/auto',
      subnetwork: undefined,
    })
  })
})
