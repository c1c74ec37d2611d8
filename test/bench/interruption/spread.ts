import { setTimeout as sleep } from 'node:timers/promises'
import { machines } from '../../../api/kinds.ts'
import type { Lab } from '../../lab/lab.ts'
import { costOf, pollIntervalMs, stage, startManager } from '../deployment.ts'
import type { Figures } from '../bench.ts'
import type { BenchOptions } from '../options.ts'
import { spreadOf, type Spread } from '../spread-of.ts'
import { applyCluster, available, instanceOf, podsOn } from './setting.ts'
import { sightsOf, sourceArgs } from './source.ts'
import { MachineWatch, type Watched } from './watch.ts'

/** Milliseconds; each as p50 and p99. */
export interface SpreadFigures
  extends
    Spread<'noticeToDeleted'>,
    Spread<'noticeToReplacement'>,
    Spread<'noticeToAvailable'>,
    Spread<'seenToDeleted'>,
    Spread<'seenToReplacement'>,
    Spread<'afterwardsToReplacement'>,
    Spread<'afterwardsToAvailable'>,
    Spread<'plainToReplacement'>,
    Spread<'plainToAvailable'> {
  readonly pollIntervalMs: number
}

const everyMs = 2_000
const noticeMs = 120_000
/** As many are deleted without a notice, and with `replacement: Afterwards`. */
const beside = 3
const provisionedWithinMs = 300_000
const replacedWithinMs = 300_000

/** Notices come one after the other. Meanwhile some Machines are replaced afterwards, and some without a notice. */
export async function benchSpread(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const { source = 'spot-requests' } = options
  const { cloud, namespace, workers } = await stage(lab, options)
  const watch = new MachineWatch(lab, namespace)
  const place = { cloud, namespace }
  await startManager(lab, entry, { args: sourceArgs(lab, source) })
  const [ahead = ''] = await applyCluster(lab, place, { cluster: 'ahead', workers })
  const policy = { replacement: 'Afterwards' }
  const [afterwards = ''] = await applyCluster(lab, place, { cluster: 'afterwards', workers: beside, policy })
  const [plain = ''] = await applyCluster(lab, place, { cluster: 'plain', workers: beside })
  const total = workers + 2 * beside
  const before = await available(watch, { count: total, timeoutMs: provisionedWithinMs })
  await podsOn(lab, namespace, before)

  const notices = new Notices(lab, watch)
  const notice = (one: Watched) => cloud.control.interrupt(instanceOf(one), noticeMs)
  const remove = ({ name }: Watched) => lab.client.delete(machines, { namespace, name }, {}, lab.ctx)
  await Promise.all([
    notices.each(ahead, (one) => Promise.resolve(notice(one))),
    notices.each(afterwards, (one) => Promise.resolve(notice(one))),
    notices.each(plain, remove),
  ])
  await available(watch, { count: total, before, timeoutMs: replacedWithinMs })
  const seenAt = sightsOf(cloud, source)
  const [replaced, late, deleted] = [notices.outcome(ahead), notices.outcome(afterwards), notices.outcome(plain)]
  return {
    pollIntervalMs,
    ...spreadOf(
      'noticeToDeleted',
      replaced.map(({ at, deletedAt }) => deletedAt - at),
    ),
    ...spreadOf(
      'noticeToReplacement',
      replaced.map(({ at, createdAt }) => createdAt - at),
    ),
    ...spreadOf(
      'noticeToAvailable',
      replaced.map(({ at, availableAt }) => availableAt - at),
    ),
    ...spreadOf(
      'seenToDeleted',
      replaced.map(({ at, deletedAt }) => deletedAt - seenAt(at)),
    ),
    ...spreadOf(
      'seenToReplacement',
      replaced.map(({ at, createdAt }) => createdAt - seenAt(at)),
    ),
    ...spreadOf(
      'afterwardsToReplacement',
      late.map(({ at, createdAt }) => createdAt - at),
    ),
    ...spreadOf(
      'afterwardsToAvailable',
      late.map(({ at, availableAt }) => availableAt - at),
    ),
    ...spreadOf(
      'plainToReplacement',
      deleted.map(({ at, createdAt }) => createdAt - at),
    ),
    ...spreadOf(
      'plainToAvailable',
      deleted.map(({ at, availableAt }) => availableAt - at),
    ),
    ...(await costOf(lab, cloud)),
  }
}

interface Outcome {
  readonly at: number
  readonly deletedAt: number
  readonly createdAt: number
  readonly availableAt: number
}

/** The times of the notices, and what became of the Machines. */
class Notices {
  readonly #lab: Lab
  readonly #watch: MachineWatch
  readonly #given = new Map<string, { readonly machine: Watched; readonly at: number }[]>()

  constructor(lab: Lab, watch: MachineWatch) {
    this.#lab = lab
    this.#watch = watch
  }

  /** Gives each Machine of the MachineDeployment its notice. */
  async each(deployment: string, give: (machine: Watched) => Promise<unknown>): Promise<void> {
    const given: { machine: Watched; at: number }[] = []
    this.#given.set(deployment, given)
    for (const machine of this.#watch.of(deployment)) {
      given.push({ machine, at: this.#lab.ctx.clock.now() })
      await give(machine)
      await sleep(everyMs)
    }
  }

  /** MachineSets do not say what replaces what: the first new Machine counts as that of the first notice. */
  outcome(deployment: string): Outcome[] {
    const given = this.#given.get(deployment) ?? []
    const before = new Set(given.map(({ machine }) => machine))
    const fresh = this.#watch.of(deployment).filter((one) => !before.has(one))
    if (fresh.length !== given.length) throw new Error(`${fresh.length} Machines for ${given.length} of ${deployment}.`)
    return given.map(({ machine, at }, i) => {
      const { createdAt = NaN, availableAt = NaN } = fresh[i] ?? {}
      return { at, deletedAt: machine.deletedAt ?? NaN, createdAt, availableAt }
    })
  }
}
