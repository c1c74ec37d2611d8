import { machines } from '../../api/kinds.ts'
import { requests } from '../../api/labels.ts'
import { endsAfter, pods, type Pod } from '../../test/simulators/kit/kubelets/pod.ts'
import { NodeAgents } from './agents.ts'
import { faultIn, inWords } from './course-words.ts'
import { followCourses, type Course } from './course.ts'
import { demandReplaced, lossOn, type Loss } from './loss.ts'
import { isRehearsal, ways } from './notices.ts'
import type { Stage } from './stage.ts'
import { demand, type Step, type Steps } from './steps.ts'
import { listed } from './words.ts'

const podEndsAfterMs = 5_000

/** Each cloud announces the end of one instance. Where a cloud announces nothing, it is rehearsed. */
export async function announceOneEach(stage: Stage, steps: Steps): Promise<void> {
  const losses = await Promise.all(stage.sites.map((site) => lossOn(stage, site)))
  await using agents = await NodeAgents.install(stage)
  await steps.take(isPrepared(stage, losses, agents))
  await using courses = await followCourses(stage, losses)
  await steps.take(...courses.all.map((course) => isFollowed(stage, course)))
  await agents.uninstall()
}

function isPrepared(stage: Stage, losses: readonly Loss[], agents: NodeAgents): Step {
  const { lab, namespace } = stage
  const observed = losses.filter(({ site }) => ways[site.cloud.name].metadata)
  const names = listed(observed.map(({ site: { cloud } }) => cloud.prefix))
  return {
    what: `One Node of each cloud runs a Pod that takes ${podEndsAfterMs / 1000} s to end, and those of ${names} the node agent`,
    withinMs: 180_000,
    first: () => Promise.all(losses.flatMap((loss) => [workOn(stage, loss), agents.run(loss)])),
    async holds() {
      const { items } = await lab.client.list<Pod>(pods, { namespace }, lab.ctx)
      const phases = items.map(({ status }) => status?.phase ?? 'Pending')
      const running = phases.filter((phase) => phase === 'Running').length
      demand(running === losses.length, `The Pods are ${phases.join(', ')}.`)
      await agents.demandReady()
    },
  }
}

/** A Pod that has something to finish. */
async function workOn({ lab, namespace }: Stage, { machine, node }: Loss): Promise<void> {
  const annotations = { [endsAfter]: `${podEndsAfterMs / 1000}s` }
  const containers = [{ name: 'work', image: 'work' }]
  const pod = {
    metadata: { name: machine, namespace, annotations },
    spec: { nodeName: node, terminationGracePeriodSeconds: 10, containers },
  }
  await lab.client.create(pods, pod, lab.ctx)
}

/** The seconds are shown and not checked, because the computer has other work as well. Their order is checked. */
function isFollowed(stage: Stage, course: Course): Step {
  const { site, machine } = course.loss
  const way = ways[site.cloud.name]
  const notice = `${way.noticeMs / 1000} s`
  const announces = isRehearsal(way)
    ? `${site.cloud.prefix} announces nothing, so a notice of ${notice} is rehearsed for ${machine}`
    : `${site.cloud.prefix} announces that the instance of ${machine} ends in ${notice}`
  return {
    what: `${announces}; its Node is drained and its Machine replaced`,
    withinMs: way.noticeMs + 180_000,
    async first() {
      course.begin()
      await announce(stage, course.loss)
    },
    async holds() {
      await demandReplaced(stage, course.loss)
      await demandNoPod(stage, course.loss)
      demand(course.source === way.source, `The manager has the notice from ${course.source}.`)
      const fault = faultIn(course.passed, way.noticeMs)
      demand(fault === undefined, fault ?? '')
      return `${way.learnt}.\n${inWords(course.passed, way.noticeMs)}`
    },
  }
}

async function announce({ lab, namespace }: Stage, { site: { cloud }, machine, id }: Loss): Promise<void> {
  const way = ways[cloud.name]
  if (!isRehearsal(way)) return cloud.control.interrupt(id, way.noticeMs)
  const annotations = { [requests.rehearse]: `${way.noticeMs / 1000}s` }
  await lab.client.mergePatch(machines, { namespace, name: machine }, { patch: { metadata: { annotations } } }, lab.ctx)
}

async function demandNoPod({ lab, namespace }: Stage, { machine }: Loss): Promise<void> {
  const { items } = await lab.client.list<Pod>(pods, { namespace }, lab.ctx)
  demand(!items.some(({ metadata }) => metadata.name === machine), `The Pod ${machine} is still there.`)
}
