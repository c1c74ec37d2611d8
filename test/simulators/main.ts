import type { Ctx } from '../../api/ctx.ts'
import { createClient } from '../../controllers/runtime/client/client.ts'
import { systemClock } from '../../controllers/runtime/process/clock.ts'
import { loadConnection } from '../../controllers/runtime/client/kubeconfig.ts'
import { cloudNames, clouds, type SimulatedCloudName } from './clouds.ts'
import { startKubelets } from './kit/kubelets/kubelets.ts'
import { helpText, readFlags, UsageError, type Flags } from './kit/flags.ts'
import { stderrLog } from './kit/log.ts'
import { noNodes, type NodeRegistrar } from './kit/instances/nodes.ts'

/** Simulated clouds as a program: their facts, then service until SIGINT or SIGTERM. */
async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, cloudNames)
  if (flags.help) {
    process.stdout.write(helpText(cloudNames))
    return 0
  }
  const log = stderrLog({ verbose: flags.verbose })
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => ending.abort(new Error(`The simulators were ended by ${signal}.`)))
  }
  await run(flags, { clock: systemClock, log, signal: ending.signal })
  return 0
}

async function run(flags: Flags<SimulatedCloudName>, ctx: Ctx): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const nodes = await startNodes(flags, ctx, stack)
  const { port: first, bootMs, stopMs, shutdownMs, noticeMs, buckets, keptRequests } = flags
  const settings = { bootMs, stopMs, shutdownMs, noticeMs, buckets, keptRequests }
  for (const [at, name] of flags.clouds.entries()) {
    const port = first === 0 ? 0 : first + at
    const cloud = await clouds[name]({ ...ctx, ...settings, port, nodes })
    stack.defer(() => cloud.close())
    process.stdout.write(`${JSON.stringify(cloud.facts)}\n`)
  }
  await new Promise<void>((resolve) => {
    if (ctx.signal.aborted) resolve()
    else ctx.signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function startNodes(
  { kubeconfig, heartbeatMs }: Flags<SimulatedCloudName>,
  ctx: Ctx,
  stack: AsyncDisposableStack,
): Promise<NodeRegistrar> {
  if (kubeconfig === undefined) return noNodes
  const client = createClient(await loadConnection(kubeconfig, ctx), { userAgent: 'simulated-kubelets' })
  stack.defer(() => client.close())
  const kubelets = startKubelets({ client, ctx, heartbeatMs })
  stack.defer(() => kubelets.settled())
  return kubelets.nodes
}

function report(error: unknown): number {
  const { code, message } = error as NodeJS.ErrnoException
  const sentence =
    code === 'EADDRINUSE' ? 'The port is taken; choose another with --port, or 0 for any free one.' : message
  process.stderr.write(`${sentence}\n`)
  return error instanceof UsageError ? 2 : 1
}

// Whoever started this may close the pipe once it has read the facts.
process.stdout.on('error', () => {})
process.exitCode = await main(process.argv.slice(2)).catch(report)
