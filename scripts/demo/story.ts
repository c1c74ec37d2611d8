import { clusters } from '../../api/kinds.ts'
import { nodeLabels } from '../../api/labels.ts'
import { scale } from './acts.ts'
import { announceOneEach } from './announcement.ts'
import { fallBackOnce } from './fallback.ts'
import { loseOneEach } from './interruption.ts'
import { leftoversOf } from './leftovers.ts'
import { demandAllServe, look, rowOf } from './look.ts'
import { sceneOf, type Stage } from './stage.ts'
import { demand, StepFailed, Steps } from './steps.ts'
import { listed } from './words.ts'

/** The story of examples/ from the first Machine to the last object, on all clouds at once, each step checked. */
export async function tellStory(stage: Stage): Promise<number> {
  const steps = new Steps(stage.signal)
  process.stdout.write(`${sceneOf(stage)}\n`)
  try {
    await comeUp(stage, steps)
    await fallBackOnce(stage, steps)
    await announceOneEach(stage, steps)
    await loseOneEach(stage, steps)
    await goDown(stage, steps)
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    process.stdout.write(`The end of the manager's log:\n${stage.lab.manager.logs().slice(-2_000)}`)
    throw error
  }
  steps.conclude()
  return 0
}

async function comeUp(stage: Stage, steps: Steps): Promise<void> {
  const { sites, workers } = stage
  await steps.take(
    ...sites.map((site) => ({
      what: `${site.cloud.prefix}: ${workers} Machines are Running, each with its own instance`,
      withinMs: 300_000,
      holds: () => demandAllServe(stage, site),
    })),
  )
  await steps.take({
    what: `All ${sites.length * workers} Nodes carry the label ${nodeLabels.interruptible}`,
    withinMs: 180_000,
    async holds() {
      const rows = (await look(stage)).map(rowOf)
      const without = rows.filter(({ interruptible }) => interruptible !== 'yes').map(({ machine }) => machine)
      demand(without.length === 0, `These Nodes lack it: ${without.join(', ')}.`)
    },
  })
}

/** As a user would who deletes everything. */
async function goDown(stage: Stage, steps: Steps): Promise<void> {
  const { lab, sites, namespace, applied } = stage
  const { client, ctx } = lab
  const names = listed(sites.map(({ cloud }) => cloud.prefix))
  const leftInClouds = () =>
    sites.flatMap(({ cloud }) => (cloud.leftovers() > 0 ? [`${cloud.leftovers()} things on ${cloud.prefix}`] : []))
  await steps.take({
    what: `Scaled to 0: no Machine is left, and no instance, disk, network interface or address on ${names}`,
    withinMs: 300_000,
    first: () => Promise.all(sites.map((site) => scale(stage, site, 0))),
    async holds() {
      const machines = (await look(stage)).map(({ machine }) => machine.metadata.name)
      const left = [...machines, ...leftInClouds()]
      demand(left.length === 0, `Still there: ${left.join(', ')}.`)
    },
  })
  await steps.take({
    what: 'The Clusters are deleted',
    withinMs: 300_000,
    first: () =>
      Promise.all(sites.map(({ cluster }) => client.delete(clusters, { namespace, name: cluster }, {}, ctx))),
    async holds() {
      const { items } = await client.list(clusters, { namespace }, ctx)
      const held = items.map(({ metadata: { name, finalizers = [] } }) => `${name} with ${finalizers.join(', ')}`)
      demand(held.length === 0, `Still there: ${held.join('; ')}.`)
    },
  })
  await steps.take({
    what: 'Nothing is left on any cloud, and on the API server only events, CapacityPools and the empty namespace of the node agent',
    withinMs: 180_000,
    // In a complete cluster the garbage collector does a part of this. Here there is none.
    first: () => lab.delete(applied),
    async holds() {
      const left = [...(await leftoversOf(stage)), ...leftInClouds()]
      demand(left.length === 0, `Still there: ${left.join(', ')}.`)
    },
  })
}
