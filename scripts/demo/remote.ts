import { ControlError } from '../../test/simulators/kit/control/verb.ts'
import { serve, type WireRequest, type WireServer } from '../../test/simulators/kit/http/wire.ts'
import { Impossible, oldestServing, scale } from './acts.ts'
import type { Site, Stage } from './stage.ts'
import { listed } from './words.ts'

/** An incident on one cloud: `POST /<cloud>/<name>`. */
interface Command {
  readonly name: string
  /** The argument behind the name, as in an example. Left out: none. */
  readonly example?: string
  readonly does: string
  /** Returns what was done, as a sentence. */
  run(stage: Stage, site: Site, argument: string): Promise<string>
}

const most = 9

const commands: readonly Command[] = [
  {
    name: 'interrupt',
    does: 'reclaims an instance',
    async run(stage, site) {
      const id = await oldestServing(stage, site)
      site.cloud.control.interrupt(id, 0)
      return `${site.cloud.prefix} reclaims ${id}.`
    },
  },
  {
    name: 'scale',
    example: '3',
    does: 'scales to 3 Machines',
    async run(stage, site, argument) {
      const replicas = /^\d+$/.test(argument) ? Number(argument) : most + 1
      if (replicas > most) throw new Impossible(`Add the number of Machines, from 0 to ${most}, such as /scale/3.`)
      await scale(stage, site, replicas)
      return `MachineDeployment ${site.deployment} is scaled to ${replicas} Machines.`
    },
  },
  {
    name: 'no-capacity',
    does: 'has no more capacity',
    async run(_stage, { cloud: { name, prefix, control } }) {
      control.noCapacity()
      return `${prefix} has no more capacity, so a new Machine fails. /${name}/capacity-back restores it.`
    },
  },
  {
    name: 'capacity-back',
    does: 'has capacity again',
    async run(_stage, { cloud: { prefix, control } }) {
      control.capacityBack()
      return `${prefix} has capacity again.`
    },
  },
]

/** The commands, a line each, with one cloud as the example. */
export function commandLines(url: string, cloud: string): string[] {
  const host = url.replace('http://', '')
  const typed = commands.map((command) => `  curl -X POST ${host}/${cloud}/${shown(command)}`)
  const width = Math.max(...typed.map((line) => line.length))
  return commands.map(({ does }, at) => `${typed[at]?.padEnd(width)}  ${does}`)
}

function shown({ name, example }: Command): string {
  return example ? `${name}/${example}` : name
}

/** Serves the commands on its own port, so that people need to know no id. */
export async function startRemote(stage: Stage): Promise<WireServer> {
  return serve({
    port: 0,
    async reply(request) {
      const { status, sentence } = await answerTo(request, stage)
      return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${sentence}\n` }
    },
    broken: () => undefined,
  })
}

async function answerTo(
  { method, path }: WireRequest,
  stage: Stage,
): Promise<{ readonly status: number; readonly sentence: string }> {
  const [, where, what, argument = ''] = path.split('/')
  const site = stage.sites.find(({ cloud }) => cloud.name === where)
  const command = commands.find(({ name }) => name === what)
  if (method !== 'POST' || !site || !command) return { status: 404, sentence: manual(stage) }
  try {
    return { status: 200, sentence: await command.run(stage, site, argument) }
  } catch (error) {
    const isRefusal = error instanceof Impossible || error instanceof ControlError
    return { status: isRefusal ? 409 : 500, sentence: error instanceof Error ? error.message : String(error) }
  }
}

function manual({ sites }: Stage): string {
  const where = listed(
    sites.map(({ cloud }) => cloud.name),
    'or',
  )
  const what = commands.map((command) => `  ${shown(command)}: ${command.does}`)
  return `POST /<cloud>/<command>, where <cloud> is ${where} and <command> one of:\n${what.join('\n')}`
}
