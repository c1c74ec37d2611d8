import { BadOption, readOptions, usage } from '../config/options.ts'
import { wrongGrant } from '../providers/shared/granted-limits.ts'
import { clouds } from '../providers/registry.ts'
import { manage } from './manager/manager.ts'
import { createClient } from './runtime/client/client.ts'
import { systemClock } from './runtime/process/clock.ts'
import { KubeconfigNotSupported, loadConnection } from './runtime/client/kubeconfig.ts'
import { createLog } from './runtime/process/log.ts'
import { holdLittleMemory } from './runtime/process/memory.ts'

/**
 * The manager program. Only this file reads arguments and the environment variables of our options, and decides the
 * exit code. Each cloud and its library read their own variables.
 */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage())
    return 0
  }
  holdLittleMemory()
  const options = readOptions(args, process.env)
  const wrong = wrongGrant(options.grantedLimits, clouds)
  if (wrong) throw new BadOption(`--granted-limits (or CAPSPOT_GRANTED_LIMITS): ${wrong}`)
  const log = createLog({ level: options.logLevel })
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}`)))
  }
  let failed = false
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    // The state after such a failure is unknown, so the process stops. It releases the lease first.
    process.on(event, (error: unknown) => {
      log.error('Stopping after a failure that nothing expected', { event, error })
      failed = true
      stop.abort(error)
    })
  }
  const ctx = { signal: stop.signal, clock: systemClock, log }
  const connection = await loadConnection(options.kubeconfig || undefined, ctx)
  const userAgent = 'cluster-api-provider-spot'
  const clients = { all: createClient(connection, { userAgent }), lease: createClient(connection, { userAgent }) }
  log.info('Starting', { server: connection.server, pollIntervalMs: options.pollInterval })
  try {
    await manage(clients, options, ctx)
    log.info('Stopped')
    return failed ? 1 : 0
  } finally {
    await Promise.all([clients.all.close(), clients.lease.close()])
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (thrown) {
  const expected = thrown instanceof BadOption || thrown instanceof KubeconfigNotSupported
  process.stderr.write(`${expected ? thrown.message : describe(thrown)}\n`)
  process.exitCode = expected ? 2 : 1
}
// An open connection or a timer of a library must not delay the restart.
process.exit()

function describe(thrown: unknown): string {
  return thrown instanceof Error ? `The manager ended: ${thrown.message}` : 'The manager ended for an unknown cause.'
}
