import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { wantedWith, type Given } from '../../../test/support/clouds/aws-specs.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { startAwsSimulator, type AwsSimulator } from '../../../test/simulators/aws/simulator.ts'
import { standardWorld } from '../../../test/simulators/aws/world.ts'
import type { Cloud, LaunchPlan } from '../../cloud.ts'
import { awsCloud } from '../cloud.ts'

let simulator: AwsSimulator
let cloud: Cloud
const clock = new FakeClock()
const ctx = () => quietCtx({ clock })

beforeEach(async () => {
  simulator = await startAwsSimulator({ clock, world: standardWorld() })
  vi.stubEnv('AWS_ENDPOINT_URL_EC2', simulator.url)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  cloud = awsCloud()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await simulator.close()
})

/** Of this machine nothing is named; EC2 is asked for all of it. */
function nothingNamed(name: string): Given {
  return {
    name,
    version: 'v1.36.3',
    machine: {
      ami: {},
      subnet: undefined,
      additionalSecurityGroups: [{ filters: [{ name: 'group-name', values: ['spot-storage'] }] }],
      rootVolume: { size: 20 },
      spotMarketOptions: {},
    },
    cluster: {
      region: simulator.facts.region,
      network: {
        vpc: { id: simulator.facts.vpc },
        subnets: [{ filters: [{ name: 'tag:Name', values: ['spot-*'] }] }],
        securityGroupOverrides: { node: simulator.facts.securityGroup },
      },
    },
  }
}

function countCalls(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { action } of simulator.control.requests()) counts[action] = (counts[action] ?? 0) + 1
  return counts
}

async function launched({ request }: LaunchPlan, name: string) {
  return cloud.instances.create(
    {
      owner: 'a5c8f9d2-0000-4000-8000-000000000001',
      machine: `default/${name}`,
      token: `token-${name}`,
      scope: { cloud: 'aws', identity: 'default', region: simulator.facts.region },
      request,
      userData: new TextEncoder().encode('#cloud-config\n'),
      clusterName: 'c1',
    },
    ctx(),
  )
}

describe('machines of which EC2 is asked for everything', () => {
  it('cost one call of each kind, however many they are', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `m${n}`)
    await Promise.all(names.map((name) => cloud.plan(wantedWith(nothingNamed(name)), ctx())))
    expect(countCalls()).toEqual({
      DescribeInstanceTypes: 1,
      DescribeInstanceTypeOfferings: 1,
      DescribeImages: 1,
      DescribeSubnets: 1,
      DescribeSecurityGroups: 1,
    })
  })

  it('are launched as EC2 wants it, where the plan said', async () => {
    const plan = await cloud.plan(wantedWith(nothingNamed('m1')), ctx())
    const made = await launched(plan, 'm1')
    expect(made).toMatchObject({ zone: plan.offering.zone, capacityType: 'Spot', instanceType: 'm5.large' })
    expect(simulator.facts.subnets.find(({ id }) => id === plan.subnet)?.availabilityZone).toBe(made.zone)
    expect(plan.otherSubnets).toBe(2)
  })

  it('go where their type is offered, wherever else the cluster has subnets', async () => {
    const places = Array.from({ length: 12 }, async (_, n) => {
      const given = nothingNamed(`m${n}`)
      const machine = { ...given.machine, instanceType: 'inf2.xlarge' }
      return (await cloud.plan(wantedWith({ ...given, machine }), ctx())).offering.zone
    })
    expect(new Set(await Promise.all(places))).toEqual(new Set(['us-east-1a', 'us-east-1c']))
  })

  it('ask for the same again, in every process', async () => {
    const wanted = wantedWith(nothingNamed('m1'))
    const first = await cloud.plan(wanted, ctx())
    expect(await cloud.plan(wanted, ctx())).toEqual(first)
    expect(await awsCloud().plan(wanted, ctx())).toEqual(first)
  })

  it('go round a place that is full', async () => {
    const wanted = wantedWith(nothingNamed('m1'))
    const first = await cloud.plan(wanted, ctx())
    const second = await cloud.plan({ ...wanted, exclude: [first.subnet] }, ctx())
    expect(second.subnet).not.toBe(first.subnet)
    expect(second.otherSubnets).toBe(first.otherSubnets - 1)
  })
})

describe('before any call', () => {
  it('that makes anything user data that EC2 would not take is refused', async () => {
    const name = 'm1'
    const { request } = await cloud.plan(
      wantedWith({ machine: { ami: { id: simulator.facts.image }, subnet: { id: 'subnet-a' } } }),
      ctx(),
    )
    const large = cloud.instances.create(
      {
        owner: 'o',
        machine: name,
        token: 't',
        scope: { cloud: 'aws', identity: 'default', region: simulator.facts.region },
        request,
        userData: new Uint8Array(16_385),
        clusterName: 'c1',
      },
      ctx(),
    )
    await expect(large).rejects.toMatchObject({ kind: 'invalid', code: 'UserDataTooLarge' })
    expect(countCalls()).toEqual({ DescribeImages: 1 })
  })
})

it('what a Node offers is asked for once a type', async () => {
  const scope = { cloud: 'aws', identity: 'default', region: simulator.facts.region } as const
  const spec = { instanceType: 'g4dn.xlarge', ami: { id: simulator.facts.image } }
  for (let n = 0; n < 3; n++) {
    expect(await cloud.nodeSizeOf(spec, scope, ctx())).toEqual({
      capacity: { cpu: '4', memory: '16384Mi', 'nvidia.com/gpu': '1' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    })
  }
  expect(countCalls()).toEqual({ DescribeInstanceTypes: 1, DescribeImages: 1 })
})
