import { RunInstancesCommand } from '@aws-sdk/client-ec2'
import { vi } from 'vitest'
import { ownerTag } from '../../providers/aws/observe/ownership.ts'
import { awsCloud } from '../../providers/aws/cloud.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { wantedWith } from '../support/clouds/aws-specs.ts'
import { FakeClock } from '../support/fakes/fake-clock.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { ec2Client, usualLaunch } from '../simulators/aws/fixture.ts'
import { startAwsSimulator, type AwsSimulator } from '../simulators/aws/simulator.ts'
import { standardWorld, type World } from '../simulators/aws/world.ts'
import { callsForAPage } from '../../providers/wire/retry-page.ts'
import type { NoticesRig } from './notices.ts'
import type { OfferingsRig, Shop } from './offerings.ts'
import { asUsed, inCircles } from './rig.ts'

export interface AwsRig extends NoticesRig, OfferingsRig {
  readonly simulator: AwsSimulator
  advance(ms: number): Promise<void>
}

const words: Partial<Record<RefusalKind, string>> = {
  capacity: 'InsufficientInstanceCapacity',
  quota: 'VcpuLimitExceeded',
  throttled: 'RequestLimitExceeded',
  denied: 'UnauthorizedOperation',
  invalid: 'InvalidAMIID.NotFound',
}
const over = new Set(['terminated', 'shutting-down'])

type OfSource = Pick<NoticesRig, 'kind' | 'elements' | 'announce' | 'endByUser'> & { readonly list: string }

/** What differs between the sources of notices. */
const sources = {
  SpotRequests: ({ control }: AwsSimulator): OfSource => ({
    kind: 'Spot',
    list: 'DescribeSpotInstanceRequests',
    elements: { time: 'updateTime', reason: 'status' },
    announce: (id) => control.notice(id),
    endByUser: (id) => control.terminate(id),
  }),
  Status: ({ control }: AwsSimulator): OfSource => ({
    kind: 'Maintenance',
    list: 'DescribeInstanceStatus',
    elements: { time: 'notBefore', reason: 'eventsSet' },
    announce: (id) => control.scheduleEvent(id),
    endByUser(id) {
      control.scheduleEvent(id)
      control.terminate(id)
    },
  }),
}

const theirKey = 'AKIAOFTHEOTHERS'

/** The adapter in front of its simulator, on a clock of the test. Without STS nobody pins the account either. */
export async function openAwsRig({
  hasSts = true,
  world = standardWorld(),
  source = 'SpotRequests',
}: { hasSts?: boolean; world?: World; source?: keyof typeof sources } = {}): Promise<AwsRig> {
  const clock = new FakeClock()
  const simulator = await startAwsSimulator({ clock, world })
  const { facts, control } = simulator
  const { list: noticeList, ...notices } = sources[source](simulator)
  vi.stubEnv('AWS_ENDPOINT_URL_EC2', simulator.url)
  if (hasSts) vi.stubEnv('AWS_ENDPOINT_URL_STS', simulator.url)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  const cloud = asUsed(awsCloud())
  const account = world.accountId
  const wanted = (instanceType: string) =>
    wantedWith({
      machine: { instanceType, ami: { id: facts.image }, subnet: { id: facts.subnet }, spotMarketOptions: {} },
      cluster: { region: facts.region },
    })
  const planned = async (instanceType: string) => (await cloud.plan(wanted(instanceType), quietCtx())).request
  return {
    simulator,
    advance: (ms) => clock.advance(ms),
    cloud,
    scope: { ...cloud.scopeOf(wanted('').cluster), ...(hasSts ? { account } : {}) },
    account,
    others: {
      account: control.addAccount(theirKey),
      subnet: facts.subnet,
      cloud() {
        vi.stubEnv('AWS_ACCESS_KEY_ID', theirKey)
        return asUsed(awsCloud())
      },
    },
    request: await planned('m5.large'),
    otherRequest: await planned('m5.xlarge'),
    settle: () => clock.advance(60_000),
    refuseNextCreate: (kind) => {
      control.failNext('RunInstances', 1, { code: words[kind] ?? 'InternalError', message: `Refused: ${kind}.` })
    },
    loseNextAnswer: () => control.answerLostAfterCommit('RunInstances'),
    holdNextCreate: () => control.hold('RunInstances', 'before'),
    answerForeign: (times = 1) => control.spoilNext('DescribeInstances', 'foreign-document', times),
    listPartially: () => control.spoilNext('DescribeInstances', 'cut-body', callsForAPage),
    listInCircles: () => inCircles(control, 'DescribeInstances'),
    tamper: (how) => control.tamper(how),
    preempt: (id) => control.interrupt(id),
    source,
    ...notices,
    lookAlike: () => lookAlike(simulator, () => clock.advance(60_000)),
    answerForeignNotices: () => control.spoilNext(noticeList, 'foreign-document', callsForAPage),
    noticesInCircles: () => inCircles(control, noticeList),
    asked: () => control.requests().filter(({ action }) => action === noticeList).length,
    vanish: (id) => control.vanish(id),
    alive: () => control.instances().filter(({ state }) => !over.has(state)).length,
    shop: shopOf(simulator),
    creates: () => control.requests().filter(({ action }) => action === 'RunInstances').length,
    close: async () => {
      vi.unstubAllEnvs()
      await simulator.close()
    },
  }
}

function shopOf({ control, facts }: AwsSimulator): Shop {
  return {
    wanted: (more) =>
      wantedWith({
        machine: { ami: { id: facts.image }, subnet: undefined, spotMarketOptions: {} },
        cluster: { region: facts.region, network: { subnets: [...facts.subnets] } },
        ...more,
      }),
    types: { usual: 'm5.large', larger: 'm5.xlarge', gpu: 'g5.xlarge', unknown: 'm99.large' },
    zones: facts.zones,
    gpuZones: ['us-east-1a', 'us-east-1b'],
    usualZones: facts.zones,
    closeGpuQuota: () => control.quota('g', 'on-demand', 0),
    noCapacity: (hole) => control.noCapacity(hole),
    calls: () => control.requests().map(({ action }) => action),
  }
}

/** By the vendor's own client: each tag is like ours, and none of them is ours. */
async function lookAlike(simulator: AwsSimulator, settle: () => Promise<void>): Promise<string> {
  using client = { ec2: ec2Client(simulator), [Symbol.dispose]: () => client.ec2.destroy() }
  const keys = [`${ownerTag}s`, ownerTag.toUpperCase(), `my-${ownerTag}`, ownerTag.slice(0, -1)]
  const Tags = [...keys.map((Key) => ({ Key, Value: 'ownerone01' })), { Key: 'Name', Value: ownerTag }]
  const types = ['instance', 'spot-instances-request'] as const
  const TagSpecifications = types.map((ResourceType) => ({ ResourceType, Tags }))
  const { Instances } = await client.ec2.send(new RunInstancesCommand({ ...usualLaunch(simulator), TagSpecifications }))
  await settle()
  return Instances?.[0]?.InstanceId ?? ''
}
