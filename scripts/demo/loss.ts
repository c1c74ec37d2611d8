import { demandAllServe, instanceIdOf, isServing, look } from './look.ts'
import type { Site, Stage } from './stage.ts'
import { demand } from './steps.ts'

/** The Machines and instances of a site before its cloud takes an instance back. */
export interface Loss {
  readonly site: Site
  /** The Machine of the taken instance. */
  readonly machine: string
  readonly node: string
  readonly id: string
  /** The names of the other Machines. */
  readonly others: readonly string[]
  /** The ids of all instances before. */
  readonly instances: ReadonlySet<string>
}

/** Chooses the oldest Machine. */
export async function lossOn(stage: Stage, site: Site): Promise<Loss> {
  const sights = await look(stage, [site])
  const victim = sights.find(isServing)
  return {
    site,
    machine: victim?.machine.metadata.name ?? '',
    node: victim?.node?.metadata.name ?? '',
    id: instanceIdOf(victim?.infra) ?? '',
    others: sights.filter((sight) => sight !== victim).map(({ machine }) => machine.metadata.name),
    instances: new Set(site.cloud.alive().map(({ id }) => id)),
  }
}

/** One new Machine, one new instance and no other: nothing is restarted or bought twice. */
export async function demandReplaced(stage: Stage, { site, machine, others, instances }: Loss): Promise<void> {
  await demandAllServe(stage, site)
  const names = (await look(stage, [site])).map(({ machine: { metadata } }) => metadata.name)
  demand(!names.includes(machine), `${machine} is still there.`)
  demand(
    others.every((name) => names.includes(name)),
    `Before: ${others.join(', ')}. Now: ${names.join(', ')}.`,
  )
  const anew = site.cloud.alive().filter(({ id }) => !instances.has(id))
  demand(anew.length === 1, `${anew.length} instances are new.`)
}
