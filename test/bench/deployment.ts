import { nodeOptions } from '../../scripts/build.ts'
import { interruptionPolicies, machines } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'
import { spotClusterManifests } from '../lab/spot-cluster.ts'
import type { Figures } from './bench.ts'
import { residentMB } from './process-use.ts'
import type { BenchOptions } from './options.ts'

/** A MachineDeployment of the examples, which core and the remediation controller look after. */
export interface Deployment {
  readonly cloud: LabCloud
  readonly namespace: string
  readonly workers: number
}

/** Its namespace and cloud. */
export async function stage(lab: Lab, options: BenchOptions): Promise<Deployment> {
  const cloud = lab.clouds.find(({ name }) => name === options.cloud)
  if (!cloud) throw new Error(`The lab has no ${options.cloud}.`)
  cloud.limited(options.throttled)
  return { cloud, namespace: await lab.namespace('bench'), workers: options.machines }
}

export const pollIntervalMs = 15_000

interface ManagerWith {
  readonly metricsPort?: number
  readonly args?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
}

/** As in the examples. */
export async function startManager(
  lab: Lab,
  entry: string,
  { metricsPort, args = [], environment = {} }: ManagerWith = {},
): Promise<void> {
  await lab.manager.start({
    entry,
    args: ['--poll-interval', `${pollIntervalMs / 1000}s`, '--log-level', 'warn', ...args],
    env: {
      NODE_OPTIONS: nodeOptions,
      ...environment,
      ...(metricsPort === undefined ? {} : { CAPSPOT_METRICS_BIND_ADDRESS: `127.0.0.1:${metricsPort}` }),
    },
  })
}

export async function costOf(lab: Lab, { control }: LabCloud): Promise<Pick<Figures, 'rssMB' | 'calls'>> {
  const { actions } = control.counts()
  const calls = Object.fromEntries(Object.entries(actions).map(([action, counted]) => [action, counted.calls]))
  return { rssMB: await residentMB(lab.manager.pid), calls }
}

/** `adapt`: changes the objects of the example. */
export async function applyDeployment(
  lab: Lab,
  { cloud, namespace, workers }: Deployment,
  policy: object,
  adapt: (manifest: Manifest) => Manifest = (manifest) => manifest,
) {
  const name = `bench-${cloud.name}`
  const spec = { clusterName: name, ...policy }
  await lab.client.create(interruptionPolicies, { metadata: { name, namespace }, spec } as KubeObject, lab.ctx)
  await lab.apply((await spotClusterManifests(lab, { name, namespace, workers, cloud })).map(adapt))
}

/** Waits until there are exactly this many Machines, and all of them run. */
export async function allRun(
  lab: Lab,
  { namespace, workers }: Omit<Deployment, 'cloud'>,
  timeoutMs: number,
): Promise<void> {
  await eventually(
    `${workers} machines run`,
    async () => {
      const { items } = await lab.client.list<{ status?: { phase?: string } }>(machines, { namespace }, lab.ctx)
      const run = items.filter(({ status }) => status?.phase === 'Running').length
      if (run !== workers || items.length !== workers) throw new Error(`${run} of ${items.length} run`)
    },
    { timeoutMs, everyMs: 200 },
  )
}
