import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../controllers/runtime/process/clock.ts'
import type { Load, Measured } from './load.ts'
import { startAwsSimulator, type AwsSimulator } from './simulator.ts'

/**
 * How fast the simulator is by itself: `node test/simulators/aws/measure.ts [machines]`. The load comes from a process
 * of its own. In front of a manager that is measured it must not be the slowest: at least 200 launches a second, and
 * less than 60 ms for a page of a thousand instances.
 */
async function measure(machines: number): Promise<void> {
  const simulator = await startAwsSimulator({ clock: systemClock })
  const busy = process.cpuUsage()
  const measured = await underLoad({ url: simulator.url, machines, launch: launch(simulator) })
  const { user, system } = process.cpuUsage(busy)
  const heapMB = Math.round(process.memoryUsage().heapUsed / 2 ** 20)
  await simulator.close()
  process.stdout.write(
    `${JSON.stringify({ machines, ...measured, cpuMs: Math.round((user + system) / 1000), heapMB })}\n`,
  )
}

async function underLoad(load: Load): Promise<Measured> {
  const program = fileURLToPath(new URL('load.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(load)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout)) as Measured
}

/** As large as a real one: a bootstrap script and the tags of a provider. */
function launch({ facts }: AwsSimulator): Load['launch'] {
  const tags = ['Name', 'kubernetes.io/cluster/c', 'owner', 'machine', 'attempt'].flatMap((key, at) => [
    [`TagSpecification.1.Tag.${at + 1}.Key`, key] as const,
    [`TagSpecification.1.Tag.${at + 1}.Value`, `value-of-${key}`] as const,
  ])
  return {
    ImageId: facts.image,
    InstanceType: 'm5.large',
    MinCount: '1',
    MaxCount: '1',
    KeyName: facts.key,
    UserData: Buffer.from('x'.repeat(8000)).toString('base64'),
    'NetworkInterface.1.DeviceIndex': '0',
    'NetworkInterface.1.SubnetId': facts.subnet,
    'NetworkInterface.1.SecurityGroupId.1': facts.securityGroup,
    'InstanceMarketOptions.MarketType': 'spot',
    'MetadataOptions.HttpTokens': 'required',
    'TagSpecification.1.ResourceType': 'instance',
    ...Object.fromEntries(tags),
  }
}

await measure(Number(process.argv[2] ?? 1000))
