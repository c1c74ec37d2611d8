import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIbmAccount, type IbmAccount } from '../../../test/support/clouds/ibm-account.ts'
import { wantedWith, type Given } from '../../../test/support/clouds/ibm-specs.ts'
import type { Cloud, LaunchPlan } from '../../cloud.ts'
import { ibmCloud } from '../cloud.ts'

let account: IbmAccount
let cloud: Cloud

beforeEach(async () => {
  account = await openIbmAccount()
  cloud = ibmCloud()
})
afterEach(() => account[Symbol.asyncDispose]())

/** Of this machine nothing is named by its id; IBM Cloud is asked for all of it. */
function nothingNamed(name: string): Given {
  const { region, vpc, resourceGroup, subnets } = account.simulator.facts
  return {
    name,
    machine: {
      image: { name: 'capibm-ubuntu-24-04-kube-v1-36-3' },
      availability: { class: 'spot' },
      sshKeys: [{ name: 'spot' }],
      primaryNetworkInterface: { securityGroups: [{ name: 'spot-storage' }] },
      bootVolume: { sizeGiB: 20 },
    },
    cluster: {
      region,
      resourceGroup,
      network: { vpc: { id: vpc }, workerSubnets: subnets.map(({ id }) => ({ id })) },
    },
  }
}

async function launched({ request }: LaunchPlan, name: string) {
  const ours = { owner: 'ownerone01', machine: `default/${name}`, token: `token${name}`.padEnd(12, 'x') }
  const userData = new TextEncoder().encode('#cloud-config\n')
  return cloud.instances.create({ ...ours, scope: account.scope, request, userData, clusterName: 'c1' }, account.ctx())
}

describe('machines of which IBM Cloud is asked for everything', () => {
  it('cost one call for each thing, however many they are', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `m${n}`)
    await Promise.all(names.map((name) => cloud.plan(wantedWith(nothingNamed(name)), account.ctx())))
    expect(account.calls()).toEqual({
      get_instance_profile: 1,
      get_subnet: 3,
      list_images: 1,
      list_keys: 1,
      list_security_groups: 1,
    })
  })

  it('are launched as IBM wants it, where the plan said', async () => {
    const plan = await cloud.plan(wantedWith(nothingNamed('m1')), account.ctx())
    const made = await launched(plan, 'm1')
    expect(made).toMatchObject({
      zone: plan.offering.zone,
      capacityType: 'Spot',
      instanceType: 'bxf-2x8',
      state: 'pending',
    })
    expect(account.simulator.facts.subnets.find(({ id }) => id === plan.subnet)?.zone).toBe(made.zone)
    expect(plan.otherSubnets).toBe(2)
  })

  it('ask for the same again, in every process', async () => {
    const wanted = wantedWith(nothingNamed('m1'))
    const first = await cloud.plan(wanted, account.ctx())
    expect(await cloud.plan(wanted, account.ctx())).toEqual(first)
    expect(await ibmCloud().plan(wanted, account.ctx())).toEqual(first)
  })

  it('go round a place that is full', async () => {
    const wanted = wantedWith(nothingNamed('m1'))
    const first = await cloud.plan(wanted, account.ctx())
    const second = await cloud.plan({ ...wanted, exclude: [first.subnet] }, account.ctx())
    expect(second.subnet).not.toBe(first.subnet)
    expect(second.otherSubnets).toBe(first.otherSubnets - 1)
  })
})

describe('what cannot be asked for', () => {
  it('spot of a profile that is not sold so, by what IBM says of it', async () => {
    const given = nothingNamed('m1')
    const wrong = wantedWith({ ...given, machine: { ...given.machine, profile: 'bx2-2x8' } })
    await expect(cloud.plan(wrong, account.ctx())).rejects.toMatchObject({ kind: 'invalid', code: 'InvalidSpec' })
    expect(account.calls()).toEqual({ get_instance_profile: 1 })
  })

  it('two zones, one on each machine object', async () => {
    const given = nothingNamed('m1')
    const machine = { ...given.machine, zone: 'us-south-1' }
    const wrong = wantedWith({ ...given, machine, failureDomain: 'us-south-2' })
    await expect(cloud.plan(wrong, account.ctx())).rejects.toThrow(
      'spec.zone of the IBMMachine is us-south-1, but spec.failureDomain of the Machine is us-south-2; remove one',
    )
    const right = wantedWith({ ...given, machine, failureDomain: 'us-south-1' })
    expect((await cloud.plan(right, account.ctx())).offering.zone).toBe('us-south-1')
  })

  it('a profile that is not there, with the field', async () => {
    const wrong = wantedWith({ ...nothingNamed('m1'), machine: { profile: 'zz9-1x1' } })
    await expect(cloud.plan(wrong, account.ctx())).rejects.toThrow(
      'spec.profile of the IBMMachine: IBM Cloud has no profile',
    )
  })

  it('anything for an owner id that somebody wrote by hand: nobody is asked, and the annotation is named', async () => {
    const wrong = wantedWith({ ...nothingNamed('m1'), owner: 'prod-cluster' })
    await expect(cloud.plan(wrong, account.ctx())).rejects.toThrow(
      'Remove the annotation spot.cluster.x-k8s.io/owner-id',
    )
    expect(account.calls()).toEqual({})
    const right = wantedWith({ ...nothingNamed('m1'), owner: 'ownerone01' })
    await expect(cloud.plan(right, account.ctx())).resolves.toBeDefined()
  })
})

it('what a Node offers is asked for once a profile', async () => {
  const spec = { profile: 'gx3-16x80x1l4', image: { id: account.simulator.facts.image } }
  for (let n = 0; n < 3; n++) {
    expect(await cloud.nodeSizeOf(spec, account.scope, account.ctx())).toEqual({
      capacity: { cpu: '16', memory: '80Gi', 'nvidia.com/gpu': '1' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    })
  }
  expect(account.calls()).toEqual({ get_instance_profile: 1, get_image: 1 })
})
