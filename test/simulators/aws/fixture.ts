import {
  DescribeInstancesCommand,
  EC2Client,
  RunInstancesCommand,
  type Instance,
  type RunInstancesCommandInput,
  type RunInstancesCommandOutput,
} from '@aws-sdk/client-ec2'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { controlCall, type ControlAnswer } from '../suite/control-call.ts'
import { errorOf } from '../suite/error-of.ts'
import { signed } from './signed.ts'
import { startAwsSimulator, type AwsSimulator, type AwsSimulatorOptions } from './simulator.ts'
import { standardWorld } from './world.ts'

/** The simulator on a clock that stands still, and the vendor's own client in front of it. */
export interface Ec2Fixture extends AsyncDisposable {
  readonly clock: FakeClock
  readonly simulator: AwsSimulator
  readonly client: EC2Client
  /** A spot instance as our own provider asks for it, but for what is given. */
  launch(over?: Partial<RunInstancesCommandInput>): Promise<RunInstancesCommandOutput>
  /** Launches one and answers with its id. */
  launchOne(over?: Partial<RunInstancesCommandInput>): Promise<string>
  /** The same, and it runs. */
  launchRunning(over?: Partial<RunInstancesCommandInput>): Promise<string>
  /** What DescribeInstances shows of it. */
  look(id: string): Promise<Instance>
  /** A call that no decent client would make. */
  raw(parameters: Readonly<Record<string, string>>, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>
  /** A control call over HTTP. */
  control(path: string, body?: unknown): Promise<ControlAnswer>
}

export interface RawAnswer {
  readonly status: number
  readonly text: string
}

export const credentials = { accessKeyId: 'AKIASPOTEXAMPLE', secretAccessKey: 'not-a-secret' }

export async function startEc2(options: Partial<AwsSimulatorOptions> = {}): Promise<Ec2Fixture> {
  const clock = new FakeClock()
  const simulator = await startAwsSimulator({ clock, world: standardWorld(), ...options })
  const client = ec2Client(simulator)
  const launch: Ec2Fixture['launch'] = (over) =>
    client.send(new RunInstancesCommand({ ...usualLaunch(simulator), ...over }))
  const launchOne: Ec2Fixture['launchOne'] = async (over) => {
    const { Instances } = await launch(over)
    return Instances?.[0]?.InstanceId ?? ''
  }
  return {
    clock,
    simulator,
    client,
    launch,
    launchOne,
    async launchRunning(over) {
      const id = await launchOne(over)
      await clock.advance(2000)
      return id
    },
    async look(id) {
      const { Reservations } = await client.send(new DescribeInstancesCommand({ InstanceIds: [id] }))
      const [instance] = Reservations?.flatMap((one) => one.Instances ?? []) ?? []
      if (!instance) throw new Error(`DescribeInstances shows no ${id}`)
      return instance
    },
    raw: (parameters, headers = signed) => ask(simulator.url, new URLSearchParams(parameters).toString(), headers),
    control: (path, body) => controlCall(simulator.url, path, body),
    async [Symbol.asyncDispose]() {
      client.destroy()
      await simulator.close()
    },
  }
}

/** One try only: what is answered is what the test sees. */
export function ec2Client({ url, facts }: AwsSimulator, over: object = {}): EC2Client {
  return new EC2Client({ endpoint: url, region: facts.region, credentials, maxAttempts: 1, ...over })
}

export function usualLaunch({ facts }: AwsSimulator): RunInstancesCommandInput {
  return {
    ImageId: facts.image,
    InstanceType: 'm5.large',
    MinCount: 1,
    MaxCount: 1,
    KeyName: facts.key,
    UserData: Buffer.from('#cloud-config\n').toString('base64'),
    NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: facts.subnet, Groups: [facts.securityGroup] }],
    IamInstanceProfile: { Name: facts.instanceProfile },
    InstanceMarketOptions: {
      MarketType: 'spot',
      SpotOptions: { SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'terminate' },
    },
    MetadataOptions: { HttpTokens: 'required' },
    TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'Name', Value: 'worker' }] }],
  }
}

export interface Refusal {
  readonly code: string
  readonly status: number | undefined
  readonly message: string
}

/** How the call was refused. Fails when it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const { name, message, $metadata } = (await errorOf(call)) as Error & { $metadata?: { httpStatusCode?: number } }
  return { code: name, status: $metadata?.httpStatusCode, message }
}

async function ask(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}
