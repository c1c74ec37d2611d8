import { demandAllServe } from './all-serve.ts'
import { instanceIdOf, isServing, look, saidOf } from './look.ts'
import type { Site, Stage } from './stage.ts'
import { demand, type Step, type Steps } from './steps.ts'

/** The Machines and instances of a site when its cloud takes an instance back. */
interface Loss {
  readonly site: Site
  /** The Machine of the taken instance. */
  readonly machine: string
  readonly id: string
  /** The names of the other Machines. */
  readonly others: readonly string[]
  /** The ids of all instances before. */
  readonly instances: ReadonlySet<string>
}

/** Each cloud takes one instance back, in its own way. */
export async function loseOneEach(stage: Stage, steps: Steps): Promise<void> {
  const losses = await Promise.all(stage.sites.map((site) => lossOn(stage, site)))
  await steps.take(...losses.map((loss) => isNoticed(stage, loss)))
  await steps.take(...losses.map((loss) => isReplaced(stage, loss)))
}

async function lossOn(stage: Stage, site: Site): Promise<Loss> {
  const sights = await look(stage, [site])
  const victim = sights.find(isServing)
  return {
    site,
    machine: victim?.machine.metadata.name ?? '',
    id: instanceIdOf(victim?.infra) ?? '',
    others: sights.filter((sight) => sight !== victim).map(({ machine }) => machine.metadata.name),
    instances: new Set(site.cloud.alive().map(({ id }) => id)),
  }
}

/**
 * From its events, because the Machine itself is soon gone. The time is shown and not checked, because the computer has
 * other work as well.
 */
function isNoticed(stage: Stage, { site, machine, id }: Loss): Step {
  const { prefix, control, takenBack } = site.cloud
  let polls = () => 0
  return {
    what: `${prefix} reclaims the instance of ${machine}, and the Machine reports it`,
    withinMs: 20 * stage.pollMs,
    async first() {
      control.interrupt(id)
      polls = pollsSinceNow(site)
    },
    async holds() {
      const said = await saidOf(stage, site, machine)
      const sentence = said.find((message) => takenBack.test(message))
      demand(sentence !== undefined, `The Machine reports: ${said.join(' ')}`)
      return `After ${polls()} ${polls() === 1 ? 'poll' : 'polls'}: ${sentence}`
    },
  }
}

/** One new instance and no other: nothing is restarted or bought twice. */
function isReplaced(stage: Stage, { site, machine, others, instances }: Loss): Step {
  const { cloud } = site
  return {
    what: `${cloud.prefix}: one new Machine and one new instance replace it; ${stage.workers} run again`,
    withinMs: 120_000,
    async holds() {
      await demandAllServe(stage, site)
      const names = (await look(stage, [site])).map(({ machine: { metadata } }) => metadata.name)
      demand(!names.includes(machine), `${machine} is still there.`)
      demand(
        others.every((name) => names.includes(name)),
        `Before: ${others.join(', ')}. Now: ${names.join(', ')}.`,
      )
      const anew = cloud.alive().filter(({ id }) => !instances.has(id))
      demand(anew.length === 1, `${anew.length} instances are new.`)
    },
  }
}

function pollsSinceNow({ cloud: { control, isList } }: Site): () => number {
  const before = control.requests().at(-1)?.number ?? 0
  return () => control.requests().filter((request) => request.number > before && isList(request)).length
}
