// The whole story on this machine: a real API server, the real core of Cluster API, our manager, four simulated clouds.
import { BadFlag, readFlags, usage } from './demo/flags.ts'
import { watchLive } from './demo/live.ts'
import { openStage, Stopped } from './demo/stage.ts'
import { tellStory } from './demo/story.ts'

async function main(args: readonly string[]): Promise<number> {
  const { help, once } = readFlags(args)
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const stop = new AbortController()
  // Not `once`: without a listener, libraries that clean up at the end of a process treat a signal as that end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(new Stopped(`Stopped by ${signal}.`)))
  }
  // The terminal is closed, or the program behind the pipe has ended.
  process.stdout.on('error', () => stop.abort(new Stopped('Stopped, because the output was closed.')))
  const play = once ? tellStory : watchLive
  try {
    return await openStage(play, stop.signal)
  } catch (error) {
    // Ctrl-C ends the live table. The story has to come to its end to succeed.
    if (error instanceof Stopped && !once) return 0
    throw error
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof BadFlag ? 2 : 1
}
