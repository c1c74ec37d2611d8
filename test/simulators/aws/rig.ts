import {
  DescribeInstancesCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
  type DescribeInstancesCommandInput,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import type { BootedMachine } from '../kit/instances/nodes.ts'
import type { RigOptions, SimulatedCloudRig, SimulatorRig, Wish } from '../suite/rig.ts'
import type { Words } from '../suite/words.ts'
import { ec2Client, refusalOf, startEc2, usualLaunch, type Ec2Fixture } from './fixture.ts'

const xmlError = /XML parse error/
const words: Words = {
  create: 'RunInstances',
  list: 'DescribeInstances',
  accepted: 200,
  throttled: { code: 'RequestLimitExceeded', status: 503 },
  limited: { code: 'RequestLimitExceeded', status: 503 },
  serverErrors: ['500 InternalError', '503 ServiceUnavailable', '503 Unavailable'],
  statuses: {
    UnauthorizedOperation: 403,
    AuthFailure: 401,
    InsufficientInstanceCapacity: 500,
    InternalError: 500,
    RequestLimitExceeded: 503,
    Unavailable: 503,
    SomethingNew: 400,
  },
  refused: { code: 'VcpuLimitExceeded', status: 400 },
  cutOff: /socket hang up|ECONNRESET/,
  harmed: { 'cut-body': /ECONNRESET/, 'half-body': xmlError, garbage: xmlError, 'proxy-page': /502/ },
  noCapacity: 'InsufficientInstanceCapacity',
  types: { usual: 'm5.large', other: 'm5a.large' },
  zones: { home: 'us-east-1a', other: 'us-east-1b' },
  made: 'pending',
  running: 'running',
  ending: 'shutting-down',
  ended: 'terminated',
  interrupted: ['shutting-down', 'terminated'],
  noticed: 'running',
  findsLate: true,
  notFound: { code: 'InvalidInstanceID.NotFound', status: 400 },
  realCreations: { scale: 1, count: 5 },
  worker: 'worker',
  shown: {
    reason: 'Server.SpotInstanceTermination',
    privateIp: '10.0.0.4',
    privateDnsName: 'ip-10-0-0-4.ec2.internal',
    clientToken: 'worker',
    tags: { Name: 'worker' },
    launchedAt: '2026-01-01T00:00:00.000Z',
  },
  ends: [],
  lingers: [],
  verbs: [
    'notice',
    'schedule-event',
    'end-events',
    'impair',
    'repair',
    'take-back-notice',
    'accept-keys',
    'add-account',
    'reserve',
    'cancel-reservation',
    'quota',
    'spot-price',
    'add-queue',
    'delete-queue',
    'send-to-queue',
  ],
  views: ['quotas', 'reservations', 'queues'],
  truth: 'writes',
  refusedSwitches: [
    [
      'a status code of a request whose instance does not run',
      'notice',
      { id: 'i-1', code: 'fulfilled' },
      '"code" must be one of instance-terminated-no-capacity, marked-for-termination, request-canceled-and-instance-running',
    ],
    [
      'an event that EC2 does not schedule',
      'schedule-event',
      { id: 'i-1', code: 'spot' },
      '"code" must be one of instance-reboot, system-reboot, system-maintenance, instance-retirement, instance-stop.',
    ],
    ['a check that EC2 has not', 'impair', { id: 'i-1', check: 'fan' }, '"check" must be "system" or "instance".'],
    ['a quota that is none', 'quota', { name: 'q', market: 'spot', limit: 1 }, '"name" must be one of standard, '],
    ['a quota below nothing', 'quota', { name: 'g', market: 'spot', limit: -1 }, '"limit" must be a number from 0.'],
    ['a price of nothing', 'spot-price', { instanceType: 'm5.large', price: 0 }, '"price" must be a number'],
    [
      'a price where there is no market',
      'spot-price',
      { instanceType: 'g5.xlarge', price: 1, zone: 'us-east-1c' },
      'There is no spot market for "g5.xlarge" in us-east-1c.',
    ],
    [
      'a reservation of no kind',
      'reserve',
      { instanceType: 'm5.large', zone: 'us-east-1a', count: 1, kind: 'big' },
      '"kind" must be "default" or "capacity-block".',
    ],
  ],
}

export const awsRig: SimulatedCloudRig = { name: 'aws', words, start }

async function start(options: RigOptions = {}): Promise<SimulatorRig> {
  const ec2 = await startEc2(options)
  const { clock, client, simulator } = ec2
  const create: SimulatorRig['create'] = async ({ signal, ...wish } = {}) => {
    if (signal) return createUntil(ec2, wish, signal)
    return ec2.launchOne(launchOf(ec2, wish))
  }
  return {
    clock,
    simulator,
    create,
    prepare: () => Promise.resolve(),
    page: (token) => pageOf(ec2, { MaxResults: 5, ...(token !== undefined && { NextToken: token }) }),
    find: (id) => stateOf(ec2, id),
    end: async (id) => void (await client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))),
    fate: async (wish) => {
      const call = create(wish)
      return call.then(
        () => undefined,
        async () => (await refusalOf(call)).code,
      )
    },
    made: () => simulator.control.instances().map(({ id }) => id),
    limit(what, most) {
      const size = { most, perSecond: 1 }
      simulator.control.buckets(what === 'lists' ? { describe: size } : { actions: { RunInstances: size } })
      return 1000
    },
    listAsNobody: () => ec2.raw({ ...listInstances, MaxResults: '5' }, {}),
    rawList: () => ec2.raw(listInstances),
    refusalOf,
    presented,
    control: (path, body) => ec2.control(path, body),
    [Symbol.asyncDispose]: () => ec2[Symbol.asyncDispose](),
  }
}

const listInstances = { Action: 'DescribeInstances', Version: '2016-11-15' }

function launchOf({ simulator: { facts } }: Ec2Fixture, wish: Wish): Partial<RunInstancesCommandInput> {
  const { name, size = 'usual', zone = 'home', market = 'spot' } = wish
  const { usual, other } = words.types
  const subnet = { DeviceIndex: 0, SubnetId: facts.subnets[1]?.id, Groups: [facts.securityGroup] }
  return {
    InstanceType: { usual, other, gpu: 'g5.12xlarge' }[size] as 'm5.large',
    ...(name !== undefined && { ClientToken: name }),
    ...(zone === 'other' && { NetworkInterfaces: [subnet] }),
    ...(market === 'on-demand' && { InstanceMarketOptions: undefined }),
    ...('userData' in wish && { UserData: wish.userData && Buffer.from(wish.userData).toString('base64') }),
  }
}

/** By a client of its own, whose connection ends with its caller. */
async function createUntil(ec2: Ec2Fixture, wish: Wish, abortSignal: AbortSignal): Promise<string> {
  const mortal = ec2Client(ec2.simulator)
  try {
    const command = new RunInstancesCommand({ ...usualLaunch(ec2.simulator), ...launchOf(ec2, wish) })
    const { Instances } = await mortal.send(command, { abortSignal })
    return Instances?.[0]?.InstanceId ?? ''
  } finally {
    mortal.destroy()
  }
}

async function pageOf({ client }: Ec2Fixture, input: DescribeInstancesCommandInput) {
  const { Reservations = [], NextToken } = await client.send(new DescribeInstancesCommand(input))
  const instances = Reservations.flatMap(({ Instances = [] }) => Instances)
  const items = instances.map(({ InstanceId = '', State }) => ({ id: InstanceId, state: State?.Name ?? '' }))
  return { items, next: NextToken }
}

async function stateOf(ec2: Ec2Fixture, id: string): Promise<string | undefined> {
  try {
    return (await pageOf(ec2, { InstanceIds: [id] })).items[0]?.state
  } catch (error) {
    if ((error as Error).name === 'InvalidInstanceID.NotFound') return undefined
    throw error
  }
}

function presented(id: string): BootedMachine {
  const name = 'ip-10-0-0-4.ec2.internal'
  return {
    name,
    providerID: `aws:///us-east-1a/${id}`,
    instanceType: 'g5.12xlarge',
    region: 'us-east-1',
    zone: 'us-east-1a',
    addresses: [
      { type: 'InternalIP', address: '10.0.0.4' },
      { type: 'InternalDNS', address: name },
      { type: 'Hostname', address: name },
    ],
    architecture: 'amd64',
    cpus: 48,
    memoryMiB: 196_608,
    devices: { 'nvidia.com/gpu': 4 },
  }
}
