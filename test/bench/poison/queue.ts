import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../lab/eventually.ts'
import type { Lab } from '../../lab/lab.ts'
import { spotWarning } from '../../simulators/aws/queue/events.ts'
import { standardWorld } from '../../simulators/aws/world.ts'
import type { Figures } from '../bench.ts'
import { costOf, pollIntervalMs, stage, startManager } from '../deployment.ts'
import { applyCluster, available, instanceOf } from '../interruption/setting.ts'
import { MachineWatch, watchTaints, type Watched } from '../interruption/watch.ts'
import type { BenchOptions } from '../options.ts'
import { poison } from './bodies.ts'
import { memoryFromNow } from './memory.ts'
import { queueAt, simulatedQueue } from './queues.ts'
import { touched } from './touched.ts'

export interface PoisonFigures {
  /** From the moment in which the first message was there, until none was left. */
  readonly goneSeconds: number
  /** From the moment in which a real notice was there to the delete of its Machine: amid the others, and after them. */
  readonly amidToDeletedMs: number
  readonly lastToDeletedMs: number
  readonly touched: number
  /** The most memory meanwhile, above what it was before. */
  readonly moreRssMB: number
  /** Lines of the log at its usual level, but for those about Machines with a real notice and their replacements. */
  readonly logLines: number
}

const { accountId: account, region } = standardWorld()
const provisionedWithinMs = 300_000
const goneWithinMs = 900_000
/** By then the memory of the start is given back. */
const calmMs = 30_000

/** A queue full of messages that must have no effect, and two real notices in it. */
export async function benchQueue(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const { cloud, namespace, workers: count } = await stage(lab, options)
  const watch = new MachineWatch(lab, namespace)
  const taintedAt = watchTaints(lab)
  await using queue = options.endpoint === undefined ? simulatedQueue(lab) : await queueAt(options.endpoint, lab)
  const args = ['--aws-interruption-queues', queue.url, '--log-level', 'info']
  await startManager(lab, entry, { args, environment: queue.environment })
  await applyCluster(lab, { cloud, namespace }, { cluster: 'poisoned', workers: count })
  const before = await available(watch, { count, timeoutMs: provisionedWithinMs })
  const [amid, last, other] = before
  if (!amid || !last || !other) throw new Error('It takes three machines: use --machines.')
  await sleep(calmMs)

  const { clock } = lab.ctx
  const origin = { account, region }
  const warningOf = (one: Watched) => JSON.stringify(spotWarning(instanceOf(one), clock.now(), origin))
  const bodies = poison(options.poison, { origin, instance: instanceOf(other), now: clock.now() })
  const half = Math.floor(bodies.length / 2)
  const memory = await memoryFromNow(lab.manager.pid)
  const saidBefore = lab.manager.logs().length
  const times = await queue.send([...bodies.slice(0, half), warningOf(amid), ...bodies.slice(half), warningOf(last)])
  const goneAt = await whenEmpty(queue, lab)
  const most = await memory.most()
  const said = lab.manager.logs().slice(saidBefore).trim().split('\n')
  const replacements = await available(watch, { count: 2, before, timeoutMs: provisionedWithinMs })
  const real = [amid, last, ...replacements].map(({ name }) => name)
  // What a list would follow from has followed then.
  await sleep(2 * pollIntervalMs)
  return {
    goneSeconds: (goneAt - Math.min(...times)) / 1_000,
    amidToDeletedMs: (amid.deletedAt ?? NaN) - (times[half] ?? NaN),
    lastToDeletedMs: (last.deletedAt ?? NaN) - (times.at(-1) ?? NaN),
    touched: await touched(lab, { namespace, watch, taintedAt, before, noticed: [amid, last] }),
    moreRssMB: most - memory.before,
    logLines: said.filter((line) => !real.some((name) => line.includes(name))).length,
    ...(await costOf(lab, cloud)),
  }
}

async function whenEmpty({ left }: { left: () => Promise<number> }, { ctx }: Lab): Promise<number> {
  await eventually(
    'the queue is empty',
    async () => {
      const messages = await left()
      if (messages > 0) throw new Error(`${messages} messages are left.`)
    },
    { timeoutMs: goneWithinMs, everyMs: 250 },
  )
  return ctx.clock.now()
}
