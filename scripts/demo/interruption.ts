import { saidOf } from './look.ts'
import { demandReplaced, lossOn, type Loss } from './loss.ts'
import type { Site, Stage } from './stage.ts'
import { demand, type Step, type Steps } from './steps.ts'

/** Each cloud takes one instance back at once, in its own way. */
export async function loseOneEach(stage: Stage, steps: Steps): Promise<void> {
  const losses = await Promise.all(stage.sites.map((site) => lossOn(stage, site)))
  await steps.take(...losses.map((loss) => isNoticed(stage, loss)))
  await steps.take(...losses.map((loss) => isReplaced(stage, loss)))
}

/**
 * From its events, because the Machine itself is soon gone. The time is shown and not checked, because the computer has
 * other work as well.
 */
function isNoticed(stage: Stage, { site, machine, id }: Loss): Step {
  const { prefix, control, takenBack } = site.cloud
  let polls = () => 0
  return {
    what: `${prefix} reclaims the instance of ${machine} at once, and the Machine reports it`,
    withinMs: 60 * stage.pollMs,
    async first() {
      control.interrupt(id, 0)
      polls = pollsSinceNow(site)
    },
    async holds() {
      const said = await saidOf(stage, site, machine)
      const sentence = said.find((message) => takenBack.test(message))
      const notice = said.find((message) => message.startsWith('Notice of kind Spot for '))
      demand(sentence !== undefined || notice !== undefined, `The Machine reports: ${said.join(' ')}`)
      // EC2 closes the spot request, too, and that is read by itself. Who shows it first is chance.
      if (sentence === undefined) return `The status of its spot request told it first: ${notice}`
      return `After ${polls()} ${polls() === 1 ? 'poll' : 'polls'}: ${sentence}`
    },
  }
}

function isReplaced(stage: Stage, loss: Loss): Step {
  return {
    what: `${loss.site.cloud.prefix}: one new Machine and one new instance replace it; ${stage.workers} run again`,
    withinMs: 300_000,
    holds: () => demandReplaced(stage, loss),
  }
}

function pollsSinceNow({ cloud: { control, isList } }: Site): () => number {
  const before = control.requests().at(-1)?.number ?? 0
  return () => control.requests().filter((request) => request.number > before && isList(request)).length
}
