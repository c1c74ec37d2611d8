import { instanceIdOf, isServing, look, rowOf } from './look.ts'
import type { Site, Stage } from './stage.ts'
import { demand } from './steps.ts'

/**
 * Whether a site has the right number of running Machines, each with its own instance, and its cloud has no other
 * instance.
 */
export async function demandAllServe(stage: Stage, site: Site): Promise<void> {
  const { workers } = stage
  const sights = await look(stage, [site])
  const states = sights.map((sight) => rowOf(sight).state || 'new')
  demand(sights.length === workers && sights.every(isServing), `The Machines are ${states.join(', ')}.`)
  const ids = new Set(sights.map(({ infra }) => instanceIdOf(infra)))
  const there = site.cloud.alive().length
  demand(ids.size === workers && there === workers, `The Machines have ${ids.size} instances; there are ${there}.`)
}
