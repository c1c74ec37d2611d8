import { findCondition } from '../../api/conditions.ts'
import { clusters, machines } from '../../api/kinds.ts'
import { nodeLabels } from '../../api/labels.ts'
import type { Resource } from '../../api/meta.ts'
import { leftoversOf } from './leftovers.ts'
import { instanceIdOf, look, rowOf, type Sight } from './look.ts'
import type { Stage } from './stage.ts'
import { demand, StepFailed, Steps } from './steps.ts'

const machineDeployments: Resource = { ...machines, plural: 'machinedeployments', kind: 'MachineDeployment' }
/** EC2's own word for it, in an instance's StateReason. */
const takenBack = 'Server.SpotInstanceTermination'

/** The story of examples/aws from its first Machine to the last object, each step checked. */
export async function tellStory(stage: Stage): Promise<number> {
  const steps = new Steps(stage.signal)
  try {
    const running = await comeUp(stage, steps)
    await loseOne(stage, running, steps)
    await goDown(stage, steps)
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    process.stdout.write(`The end of the manager's log:\n${stage.lab.manager.logs().slice(-2_000)}`)
    throw error
  }
  steps.conclude()
  return 0
}

async function comeUp(stage: Stage, steps: Steps): Promise<Sight[]> {
  const { workers } = stage.cluster
  const what = `${workers} Machines are Running, each with its own instance`
  const running = await steps.wait({ what, withinMs: 60_000 }, async () => {
    const sights = await look(stage)
    const phases = sights.map(({ machine }) => machine.status?.phase)
    demand(phases.length === workers && phases.every((phase) => phase === 'Running'), `Phases: ${phases.join(', ')}.`)
    const ids = sights.map(({ infra }) => instanceIdOf(infra) ?? '').toSorted()
    const alive = aliveIn(stage)
    demand(ids.join() === alive.join(), `Machines have ${ids.join(', ')}; EC2 runs ${alive.join(', ')}.`)
    return sights
  })
  const labelled = { what: `${workers} Nodes carry the label ${nodeLabels.interruptible}`, withinMs: 15_000 }
  await steps.wait(labelled, async () => {
    const rows = (await look(stage)).map(rowOf)
    const seen = rows.map(({ node, interruptible }) => `${node || 'no Node'}: ${interruptible || 'no'}`)
    demand(
      rows.every(({ interruptible }) => interruptible === 'yes'),
      seen.join('; '),
    )
  })
  return running
}

/** EC2 takes one instance back. */
async function loseOne(stage: Stage, running: readonly Sight[], steps: Steps): Promise<void> {
  const { lab, pollMs } = stage
  const id = instanceIdOf(running[0]?.infra) ?? ''
  const interruptedAt = lab.ctx.clock.now()
  const interrupt = async () => lab.aws.control.interrupt(id)
  const noticed = {
    what: `EC2 takes ${id} back; within one poll its machine is Ready=False, Interrupted, ${takenBack}`,
    withinMs: 4 * pollMs,
    first: interrupt,
  }
  const polls = () => callsSince(stage, interruptedAt, 'DescribeInstances')
  await steps.wait(noticed, async () => {
    const infra = (await look(stage)).find((sight) => instanceIdOf(sight.infra) === id)?.infra
    const ready = findCondition(infra?.status?.conditions, 'Ready')
    const seen = `Ready is ${ready?.status}, ${ready?.reason}: ${ready?.message}`
    demand(ready?.status === 'False' && ready.reason === 'Interrupted' && ready.message.includes(takenBack), seen)
    demand(polls() <= 1, `It took ${polls()} polls.`)
  })

  const names = namesOf(running)
  const still = { what: 'Two more polls pass', withinMs: 10 * pollMs }
  const pollsBefore = polls()
  await steps.wait(still, async () => {
    demand(polls() >= pollsBefore + 2, `Only ${polls() - pollsBefore} polls since.`)
  })
  const same = `It was neither restarted nor made again: EC2 has made ${running.length} instances in all, for the same Machines`
  await steps.step(same, async () => {
    // Not the calls: one that was cut off is made again with its token, and EC2 answers with the same instance.
    const made = lab.aws.control.instances().map((instance) => instance.id)
    demand(made.length === running.length, `EC2 has made ${made.join(', ')}.`)
    demand(!aliveIn(stage).includes(id), `${id} is alive again.`)
    const now = namesOf(await look(stage))
    demand(now.join() === names.join(), `There were ${names.join(', ')}; there are ${now.join(', ')}.`)
  })
}

/** As a user does it who wants it gone. */
async function goDown(stage: Stage, steps: Steps): Promise<void> {
  const { lab, cluster, deployment, applied } = stage
  const { client, ctx } = lab
  const { namespace, name } = cluster
  const patch = { spec: { replicas: 0 } }
  const scale = () => client.mergePatch(machineDeployments, { namespace, name: deployment }, { patch }, ctx)
  const empty = { what: 'Scaled to 0: no Machine is left, and EC2 runs no instance', withinMs: 90_000, first: scale }
  await steps.wait(empty, async () => {
    const names = namesOf(await look(stage))
    const left = [...names, ...aliveIn(stage)]
    demand(left.length === 0, `There is still ${left.join(', ')}.`)
  })

  const remove = () => client.delete(clusters, { namespace, name }, {}, ctx)
  await steps.wait({ what: 'The Cluster is deleted', withinMs: 60_000, first: remove }, async () => {
    const { items } = await client.list(clusters, { namespace }, ctx)
    const held = items.flatMap(({ metadata }) => metadata.finalizers ?? [])
    demand(items.length === 0, `It is still there, with the finalizers ${held.join(', ')}.`)
  })

  // In a whole cluster the garbage collector does a part of this; here there is none.
  const rest = () => lab.delete(applied)
  const nothing = {
    what: 'Nothing of the cluster is left in EC2, and on the API server only events',
    withinMs: 30_000,
    first: rest,
  }
  await steps.wait(nothing, async () => {
    const left = [...(await leftoversOf(stage)), ...aliveIn(stage)]
    demand(left.length === 0, `There is still ${left.join(', ')}.`)
  })
}

function namesOf(sights: readonly Sight[]): string[] {
  return sights.map(({ machine }) => machine.metadata.name).toSorted()
}

/** The ids of the instances that EC2 has not ended. */
function aliveIn({ lab }: Stage): string[] {
  const over = new Set(['shutting-down', 'terminated'])
  const alive = lab.aws.control.instances().filter(({ state }) => !over.has(state))
  return alive.map(({ id }) => id).toSorted()
}

function callsSince({ lab }: Stage, since: number, what: string): number {
  return lab.aws.requests.filter(({ action, at }) => action === what && at >= since).length
}
