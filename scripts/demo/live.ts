import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/lab/eventually.ts'
import { look, rowOf, type Sight } from './look.ts'
import { commandLines, startRemote } from './remote.ts'
import { Screen } from './screen.ts'
import { sceneOf, type Stage } from './stage.ts'
import { tableLines, type Room } from './table.ts'
import { listed, wrapped } from './words.ts'

const everyMs = 300

/** Shows the live table until Ctrl-C. */
export async function watchLive(stage: Stage): Promise<number> {
  const { lab, signal } = stage
  const screen = new Screen(process.stdout)
  const remote = await startRemote(stage)
  try {
    for (;;) {
      // One failed read on a busy computer is no reason to stop.
      const sights = await eventually('The API server answers', () => look(stage), { timeoutMs: 10_000, signal })
      if (!lab.manager.running)
        throw new Error(`The manager has ended. The end of its log:\n${lab.manager.logs().slice(-2_000)}`)
      screen.show(picture(stage, sights, { url: remote.url, room: screen }))
      await sleep(everyMs, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    process.stdout.write('\n')
    return 0
  } finally {
    await remote.close()
  }
}

function picture(stage: Stage, sights: readonly Sight[], { url, room }: { url: string; room: Room }): string[][] {
  const { width } = room
  const whatIsReal = wrapped(sceneOf(stage), width)
  const commands = whatToType(stage, url)
  const long = commands.filter((line) => line.length > width).length
  // There is an empty line between two parts, and a long line takes two.
  const height = room.height - whatIsReal.length - commands.length - long - 2
  return [whatIsReal, tableLines(sights.map(rowOf), { width, height }), commands]
}

function whatToType(stage: Stage, url: string): string[] {
  const { lab, sites } = stage
  const [first, ...others] = sites
  const names = listed(
    others.map(({ cloud }) => cloud.name),
    'or',
  )
  return [
    ...(first ? [`In another terminal, with ${names} in place of ${first.cloud.name} too:`] : []),
    ...(first ? commandLines(url, first.cloud.name) : []),
    `For kubectl, if you have it: export KUBECONFIG=${lab.cluster.kubeconfig}`,
    `The log of the manager: ${path.join(lab.folder, 'manager.log')}`,
    'Ctrl-C ends all of this and leaves nothing behind.',
  ]
}
