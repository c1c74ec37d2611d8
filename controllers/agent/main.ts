import { runAgent } from './agent.ts'
import { ApiServer } from './api-server.ts'
import { agentClock } from './clock.ts'
import { agentLog } from './log.ts'
import { request } from './request.ts'
import { BadSetting, settingsOf } from './settings.ts'
import { sourceOf } from './sources/sources.ts'

/** The program on every interruptible Node. Only this file reads the environment and decides the exit code. */
async function main(): Promise<void> {
  const settings = settingsOf(process.env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}`)))
  }
  const log = agentLog((line) => process.stderr.write(line), agentClock)
  const ctx = { signal: stop.signal, clock: agentClock, log: log.with({ node: settings.node }) }
  const metadata = { endpoint: settings.metadata, request }
  ctx.log.info('Starting')
  await runAgent({ api: new ApiServer(settings, request), sourceOf: (id) => sourceOf(id, metadata) }, ctx)
  ctx.log.info('Stopped')
}

function fail(thrown: unknown): void {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : 'The agent ended for an unknown cause.'}\n`)
  process.exitCode = thrown instanceof BadSetting ? 2 : 1
}

// Not awaited here: the bundle is a CommonJS module. A connection that waits for its answer must not delay the end.
void main()
  .catch(fail)
  .finally(() => process.exit())
