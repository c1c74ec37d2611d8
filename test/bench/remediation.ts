import { setTimeout as sleep } from 'node:timers/promises'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import type { Figures } from './bench.ts'
import { allRun, applyDeployment, costOf, stage, startManager } from './deployment.ts'
import type { BenchOptions } from './options.ts'
import { percentile } from './watch-ready.ts'

const rounds = 10
const lookEveryMs = 20
const patienceMs = 180_000
/** The moment between two polls of the manager, which are 15 s apart. Each round has another one. */
export const phaseMs = (round: number) => 16_000 + (round * 15_000) / rounds

/** Ten machines of one MachineDeployment are taken back, one after the other. Core as it ships replaces them. */
export async function benchRemediation(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const deployment = await stage(lab, options)
  // A machine counts as served at once, so that no pause after failures is measured.
  await applyDeployment(lab, deployment, { minHealthySeconds: 0 })
  await startManager(lab, entry)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await allRun(lab, deployment, patienceMs)
    await sleep(phaseMs(round))
    times.push(await replacedIn(deployment.cloud))
  }
  const ascending = times.toSorted((a, b) => a - b)
  return {
    p50ReplacedMs: percentile(ascending, 0.5),
    p99ReplacedMs: percentile(ascending, 0.99),
    ...(await costOf(lab, deployment.cloud)),
  }
}

/** Milliseconds from the end of an instance in the cloud until its replacement runs there. */
export async function replacedIn(cloud: LabCloud, prefix = ''): Promise<number> {
  const running = () =>
    new Set(
      cloud
        .alive()
        .flatMap(({ id, state, name }) => (/running/i.test(state) && (name ?? '').startsWith(prefix) ? id : [])),
    )
  const before = running()
  const [taken] = before
  if (taken === undefined) throw new Error('No instance runs.')
  cloud.control.interrupt(taken, 0)
  const once = { timeoutMs: patienceMs, everyMs: lookEveryMs }
  await eventually('it is stopped', () => assert(!running().has(taken)), once)
  const stoppedAt = performance.now()
  await eventually('another runs', () => assert([...running()].some((id) => !before.has(id))), once)
  return performance.now() - stoppedAt
}

function assert(isSo: boolean): void {
  if (!isSo) throw new Error('not yet')
}
