import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodes } from '../../api/kinds.ts'
import type { Node } from '../../api/machine.ts'
import { agentOptions } from '../../scripts/build.ts'
import { Agents, prepareAgents } from '../lab/agents.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { startProgram } from '../lab/processes/program.ts'
import { startAzureMetadata } from '../simulators/metadata/azure.ts'
import { startEc2Metadata } from '../simulators/metadata/ec2.ts'
import { startGceMetadata } from '../simulators/metadata/gce.ts'
import { plain, startMetadata } from '../simulators/metadata/instance.ts'
import type { Figures } from './bench.ts'
import type { BenchOptions } from './options.ts'
import { cpuOfAllThreadsMs, residentMB } from './process-use.ts'

/** CPU is in milliseconds a second, of all threads. */
export interface AgentCostFigures {
  awsCpuMsPerSecond: number
  azureCpuMsPerSecond: number
  gcpCpuMsPerSecond: number
  /** Of a process that only asks, as often as the agent on EC2. */
  bareCpuMsPerSecond: number
  /** The highest of the agents, divided by the bare one. A slow computer changes both alike. */
  cpuRatio: number
  bareRssMB: number
  fileKB: number
}

const settleMs = 5_000
const machine = 'spot-1'
const providerIds = {
  aws: 'aws:///eu-west-1a/i-0123456789abcdef0',
  azure: `azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/${machine}`,
  gcp: `gce://project/europe-west1-b/${machine}`,
}
/** As the agent on EC2: three items in the same moment. */
const bare = { atOnce: 3, everyMs: 2_000 }

interface Process {
  readonly pid: number
  /** All that it has asked so far. */
  readonly requests: readonly string[]
}

interface Cost {
  readonly cpuMsPerSecond: number
  readonly rssMB: number
  readonly requests: number
}

/** An agent on a Node of each cloud and a bare process, all at the same time: what each costs. */
export async function benchAgent(lab: Lab, { minutes }: BenchOptions): Promise<Figures> {
  await using stack = new AsyncDisposableStack()
  const services = await startServices(lab)
  for (const service of Object.values(services)) stack.defer(() => service.close())
  const parts = await prepareAgents(lab)
  const agents = stack.use(new Agents(lab, parts))
  const start = { name: 'bare', program: process.execPath, args: [...agentOptions, '-e', asking(services.bare.url)] }
  const { pid } = await startProgram({ ...start, env: {} }, parts.reaper)
  const processes = {
    aws: await agentOn(agents, providerIds.aws, services.aws),
    azure: await agentOn(agents, providerIds.azure, services.azure),
    gcp: await agentOn(agents, providerIds.gcp, services.gcp),
    bare: { pid, requests: services.bare.requests },
  }
  await sleep(settleMs)
  const [aws, azure, gcp, alone] = await Promise.all([
    costOf(processes.aws, minutes),
    costOf(processes.azure, minutes),
    costOf(processes.gcp, minutes),
    costOf(processes.bare, minutes),
  ])
  const cpu = [aws, azure, gcp].map(({ cpuMsPerSecond }) => cpuMsPerSecond)
  return {
    awsCpuMsPerSecond: aws.cpuMsPerSecond,
    azureCpuMsPerSecond: azure.cpuMsPerSecond,
    gcpCpuMsPerSecond: gcp.cpuMsPerSecond,
    bareCpuMsPerSecond: alone.cpuMsPerSecond,
    cpuRatio: Math.max(...cpu) / alone.cpuMsPerSecond,
    rssMB: Math.max(aws.rssMB, azure.rssMB, gcp.rssMB),
    bareRssMB: alone.rssMB,
    fileKB: (await stat(agents.entry)).size / 1024,
    calls: { aws: aws.requests, azure: azure.requests, gcp: gcp.requests, bare: alone.requests },
  }
}

/** Of each process its own, so that each has its own count. */
async function startServices({ ctx: { clock } }: Lab) {
  return {
    aws: await startEc2Metadata({ clock }),
    azure: await startAzureMetadata({ clock, name: machine }),
    gcp: await startGceMetadata({ clock }),
    bare: await startMetadata(() => plain(200, '{}'), {}),
  }
}

interface Service {
  readonly url: string
  readonly requests: readonly string[]
}

/** It runs, and its first conditions stand on its Node. */
async function agentOn(agents: Agents, providerID: string, { url, requests }: Service): Promise<Process> {
  const { client, ctx } = agents.lab
  const name = await agents.node(providerID)
  const { program } = await agents.run(name, url)
  await eventually(`the agent on ${name} writes`, async () => {
    const { status } = await client.get<Node>(nodes, { name }, ctx)
    if (!status?.conditions?.some(({ type }) => type === 'Terminating')) throw new Error('It has not written.')
  })
  return { pid: program.pid, requests }
}

/** A program that does nothing with the answers. */
function asking(url: string): string {
  const ask = `require('node:http').get('${url}', (got) => got.resume())`
  return `setInterval(() => { for (let i = 0; i < ${bare.atOnce}; i++) ${ask} }, ${bare.everyMs})`
}

async function costOf({ pid, requests }: Process, minutes: number): Promise<Cost> {
  const asked = requests.length
  const began = performance.now()
  const before = await cpuOfAllThreadsMs(pid)
  await sleep(minutes * 60_000)
  const spent = (await cpuOfAllThreadsMs(pid)) - before
  const seconds = (performance.now() - began) / 1000
  return { cpuMsPerSecond: spent / seconds, rssMB: await residentMB(pid), requests: requests.length - asked }
}
