import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { systemClock } from '../../../controllers/runtime/clock.ts'
import { startAwsSimulator } from './simulator.ts'

/**
 * How fast the simulator is by itself: `node test/simulators/aws/measure.ts [machines]`. The load comes from a thread of
 * its own that does no more than HTTP, so what is measured is the simulator and not a client.
 */
const callers = 8
const pages = 50
const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIASPOTEXAMPLE/20260101/us-east-1/ec2/aws4_request, ' +
  `SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`
const headers = {
  authorization,
  'x-amz-date': '20260101T000000Z',
  'content-type': 'application/x-www-form-urlencoded',
}

interface Load {
  readonly url: string
  readonly machines: number
  readonly launch: Readonly<Record<string, string>>
}

interface Measured {
  readonly launchesPerSecond: number
  readonly pageMs: { readonly p50: number; readonly p99: number }
  readonly pageBytes: number
}

async function call(agent: Agent, url: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams({ Version: '2016-11-15', ...parameters }).toString()
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (incoming) => {
      text(incoming).then(
        (read) => (incoming.statusCode === 200 ? resolve(read) : reject(new Error(read.slice(0, 500)))),
        reject,
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
  return answer
}

async function load({ url, machines, launch }: Load): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  let launched = 0
  const caller = async () => {
    while (launched < machines) {
      launched += 1
      await call(agent, url, { Action: 'RunInstances', ...launch, ClientToken: `token-${launched}` })
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  const launchesPerSecond = machines / ((performance.now() - start) / 1000)

  const times: number[] = []
  let pageBytes = 0
  for (let page = 0; page < pages; page++) {
    const before = performance.now()
    pageBytes = (await call(agent, url, { Action: 'DescribeInstances', MaxResults: '1000' })).length
    times.push(performance.now() - before)
  }
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return { launchesPerSecond, pageMs: { p50: at(0.5), p99: at(0.99) }, pageBytes }
}

async function measure(machines: number): Promise<void> {
  const simulator = await startAwsSimulator({ clock: systemClock })
  const { facts, url } = simulator
  const tags = ['Name', 'kubernetes.io/cluster/c', 'owner', 'machine', 'attempt'].flatMap((key, at) => [
    [`TagSpecification.1.Tag.${at + 1}.Key`, key] as const,
    [`TagSpecification.1.Tag.${at + 1}.Value`, `value-of-${key}`] as const,
  ])
  const launch = {
    ImageId: facts.image,
    InstanceType: 'm5.large',
    MinCount: '1',
    MaxCount: '1',
    KeyName: facts.key,
    UserData: Buffer.from('x'.repeat(8_000)).toString('base64'),
    'NetworkInterface.1.DeviceIndex': '0',
    'NetworkInterface.1.SubnetId': facts.subnet,
    'NetworkInterface.1.SecurityGroupId.1': facts.securityGroup,
    'InstanceMarketOptions.MarketType': 'spot',
    'MetadataOptions.HttpTokens': 'required',
    'TagSpecification.1.ResourceType': 'instance',
    ...Object.fromEntries(tags),
  }
  const busy = process.cpuUsage()
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, machines, launch } satisfies Load })
  const measured = await new Promise<Measured>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const { user, system } = process.cpuUsage(busy)
  const { heapUsed } = process.memoryUsage()
  await simulator.close()
  const cpuMs = Math.round((user + system) / 1000)
  process.stdout.write(`${JSON.stringify({ machines, ...measured, cpuMs, heapMB: Math.round(heapUsed / 2 ** 20) })}\n`)
}

if (isMainThread) await measure(Number(process.argv[2] ?? 1000))
else parentPort?.postMessage(await load(workerData as Load))
