import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/lab/eventually.ts'
import { instanceIdOf, look, rowOf, type Sight } from './look.ts'
import { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { tableLines, type Room } from './table.ts'

const everyMs = 300

/** The live table, until somebody ends it. */
export async function watchLive(stage: Stage): Promise<number> {
  const { lab, signal } = stage
  const screen = new Screen(process.stdout)
  try {
    for (;;) {
      // A single look that fails, on a busy machine, is no reason to take everything down.
      const sights = await eventually('The API server answers', () => look(stage), { timeoutMs: 10_000, signal })
      if (!lab.manager.running)
        throw new Error(`The manager has ended. The end of its log:\n${lab.manager.logs().slice(-2_000)}`)
      screen.show(picture(stage, sights, screen))
      await sleep(everyMs, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    process.stdout.write('\n')
    return 0
  }
}

function picture(stage: Stage, sights: readonly Sight[], { width, height }: Room): string[][] {
  const commands = commandLines(stage, sights)
  // They may take two lines each; a line apart and one below.
  const room = { width, height: height - 2 * commands.length - 1 }
  return [tableLines(sights.map(rowOf), room), commands]
}

/** What to type next. */
function commandLines({ lab }: Stage, sights: readonly Sight[]): string[] {
  return [
    ...interruptLines(lab.aws.url, sights),
    'kubectl is optional; to see more with it, in another terminal:',
    `  export KUBECONFIG=${lab.cluster.kubeconfig}`,
    `The manager writes to ${path.join(lab.folder, 'manager.log')}. Ctrl-C ends all of this and leaves nothing behind.`,
  ]
}

function interruptLines(url: string, sights: readonly Sight[]): string[] {
  const running = sights.find(({ infra }) => infra?.status?.instanceState === 'running' && infra.status.interruptible)
  if (!running) return ['No instance runs at present that EC2 could take back.']
  return [
    'To have EC2 take an instance back, in another terminal:',
    `  curl -sX POST ${url}/_control/interrupt -d '{"id":"${instanceIdOf(running.infra)}"}'`,
  ]
}
