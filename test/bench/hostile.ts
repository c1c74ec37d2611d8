import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab } from '../lab/lab.ts'
import { freePort } from '../lab/processes/port.ts'
import type { Figures } from './bench.ts'
import { residentMB } from './process-use.ts'
import { allRun, applyDeployment, costOf, stage, startManager, type Deployment } from './deployment.ts'
import { startTenant } from './hostile-tenant.ts'
import type { BenchOptions } from './options.ts'
import { phaseMs, replacedIn } from './remediation.ts'
import { percentile } from './watch-ready.ts'

const rounds = 3
const patienceMs = 300_000
/** The period of the manager's gauge of its event loop. */
const lagSeenForMs = 31_000

/**
 * A cluster with machines that are created, taken back and replaced: alone, and beside a tenant that tries to stop the
 * manager with everything a namespace allows.
 */
export async function benchHostile(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const deployment = await stage(lab, options)
  const port = await freePort()
  await startManager(lab, entry, { metricsPort: port })
  await applyDeployment(lab, deployment, { minHealthySeconds: 0 })
  await allRun(lab, deployment, patienceMs)
  // By then the loading of the libraries has left the gauge.
  await sleep(lagSeenForMs)
  const alone = await observed(lab, port, () => replacements(lab, deployment))
  await using tenant = await startTenant(lab, deployment.cloud)
  await sleep(lagSeenForMs)
  const beside = await observed(lab, port, () => replacements(lab, deployment))
  return {
    alone50ReplacedMs: percentile(alone.of, 0.5),
    p50ReplacedMs: percentile(beside.of, 0.5),
    aloneLoopLagP99Ms: alone.lagMs,
    loopLagP99Ms: beside.lagMs,
    aloneRssMB: alone.rssMB,
    peakRssMB: beside.rssMB,
    hostileObjects: tenant.objects,
    hostileRequests: tenant.requests(),
    ...(await costOf(lab, deployment.cloud)),
  }
}

async function replacements(lab: Lab, deployment: Deployment): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await allRun(lab, deployment, patienceMs)
    await sleep(phaseMs(round))
    times.push(await replacedIn(deployment.cloud, `bench-${deployment.cloud.name}`))
  }
  return times.toSorted((a, b) => a - b)
}

/** Returns the most memory and the largest lag of the event loop meanwhile. */
async function observed<T>(
  lab: Lab,
  port: number,
  run: () => Promise<T>,
): Promise<{ of: T; lagMs: number; rssMB: number }> {
  const end = new AbortController()
  let [lagMs, rssMB] = [0, 0]
  const look = async () => {
    while (!end.signal.aborted) {
      lagMs = Math.max(lagMs, await lagP99Ms(port))
      rssMB = Math.max(rssMB, await residentMB(lab.manager.pid))
      await sleep(1_000, undefined, { signal: end.signal }).catch(() => {})
    }
  }
  const looking = look()
  try {
    const of = await run()
    return { of, lagMs, rssMB }
  } finally {
    end.abort()
    await looking
  }
}

async function lagP99Ms(port: number): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const seconds = /^capspot_event_loop_lag_p99_seconds (\S+)$/m.exec(page)?.[1]
  if (seconds === undefined) throw new Error('The manager does not tell how late its event loop is.')
  return Number(seconds) * 1000
}
