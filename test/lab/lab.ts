import { randomBytes } from 'node:crypto'
import type { Ctx, Log } from '../../api/ctx.ts'
import { createClient, type KubeClient } from '../../controllers/runtime/client/client.ts'
import { systemClock } from '../../controllers/runtime/process/clock.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import { startAwsSimulator, type AwsSimulator } from '../simulators/aws/simulator.ts'
import { startKubelets, type Kubelets } from '../simulators/kit/kubelets/kubelets.ts'
import { silentLog } from '../simulators/kit/log.ts'
import { noNodes, type NodeRegistrar } from '../simulators/kit/instances/nodes.ts'
import { awsOf } from './clouds/aws.ts'
import type { Delays, LabCloud, LabCloudOptions } from './clouds/cloud.ts'
import { labClouds, type LabCloudName } from './clouds/start.ts'
import type { ControlPlaneFaults } from './processes/control-plane.ts'
import {
  connectionOf,
  startManagementCluster,
  type ClusterAccess,
  type ClusterOptions,
  type ManagementCluster,
} from './processes/management-cluster.ts'
import { Manager } from './processes/manager.ts'
import { Applier, readManifests, type Manifest } from './objects.ts'
import type { Core } from './processes/core.ts'
import type { KubeControllers } from './processes/kube-controllers.ts'
import { startReaper, type Reaper } from './reaper/reaper.ts'

export interface LabOptions extends ClusterOptions {
  /** A running management cluster, such as the one that a test run shares. Left out, the lab starts its own. */
  readonly cluster?: ClusterAccess
  /** Clouds beside EC2. */
  readonly clouds?: readonly LabCloudName[]
  /** The delays of the simulated clouds. */
  readonly delays?: Delays
  /** false: instances boot without a Node. */
  readonly nodes?: false
  /**
   * How often kubelets report. Left out: every 10 s, which many Nodes on a small computer do not allow. A real kubelet
   * writes its Node every 5 minutes.
   */
  readonly heartbeatMs?: number
  /** The clouds of another lab instead of its own: the same accounts, two managers. Nodes are made where they began. */
  readonly accounts?: Pick<Lab, 'aws' | 'clouds'>
  /** The bundle that its manager runs; left out: the sources, which take a second more to start. */
  readonly manager?: string
  /** The log of the lab and its simulators; left out: none. */
  readonly log?: Log
  /** Aborts the start. `stop` ends a running lab. */
  readonly signal?: AbortSignal
}

/** Everything that a test or the demo needs, on this computer. It leaves nothing behind. */
export interface Lab extends AsyncDisposable {
  /** Gone when the lab is. */
  readonly folder: string
  readonly cluster: ClusterAccess
  /** Acts as a member of system:masters. */
  readonly client: KubeClient
  /** Its signal fires when the lab stops. */
  readonly ctx: Ctx
  /** Its instances become Nodes of the management cluster, which is the workload cluster as well. */
  readonly aws: AwsSimulator
  /** Every cloud of the lab, EC2 first. */
  readonly clouds: readonly LabCloud[]
  /** Not started yet. */
  readonly manager: Manager
  /** Undefined if the management cluster is shared, because no test may harm that. */
  readonly controlPlane: ControlPlaneFaults | undefined
  /** Cluster API's core manager; undefined if the lab has not started it itself. */
  readonly core: Core | undefined
  /** kube-controller-manager and kube-scheduler; undefined if the lab has not started them itself. */
  readonly kubeControllers: KubeControllers | undefined
  /** Plays the kubelets. A test may have machines of no cloud. */
  readonly kubelets: NodeRegistrar
  /** Objects, or a YAML file or folder of them. */
  apply(what: string | readonly Manifest[]): Promise<Manifest[]>
  /** The objects of this list that exist. */
  delete(objects: readonly Manifest[]): Promise<void>
  /** A new namespace for this test alone. */
  namespace(purpose: string): Promise<string>
  stop(): Promise<void>
}

/** Starts a lab. If this process ends in any way, everything that the lab started ends too. */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const { delays = {}, log = silentLog, signal = new AbortController().signal } = options
  await using stack = new AsyncDisposableStack()
  const reaper = await startReaper()
  stack.defer(() => reaper.finish())
  const stopping = new AbortController()
  const ctx: Ctx = { signal: stopping.signal, clock: systemClock, log }

  const { cluster, own } = await clusterOf(options, reaper, { ...ctx, signal })
  const client = createClient(connectionOf(cluster.admin), { userAgent: 'lab' })
  stack.defer(() => client.close())

  const kubelets = kubeletsOf(cluster, options, { client, ctx })
  stack.defer(() => kubelets.settled())
  stack.defer(() => stopping.abort(new Error('The lab has stopped.')))
  const registrar = options.nodes === false ? noNodes : kubelets.nodes
  const { aws, clouds } = await startClouds(options, { delays, ctx, nodes: registrar, folder: reaper.folder }, stack)
  // Labs that share a management cluster have clouds of their own with the same accounts. One must not tell another.
  const shared = options.cluster ? { CAPSPOT_CAPACITY_POOLS: 'false' } : {}
  const env = Object.assign({}, shared, ...clouds.map(({ environment }) => environment)) as NodeJS.ProcessEnv
  const manager = new Manager({ kubeconfig: cluster.managerKubeconfig, env, reaper, entry: options.manager })
  stack.defer(() => manager.stop())

  const applier = new Applier(client, ctx)
  const apply = async (what: string | readonly Manifest[]) =>
    applier.apply(typeof what === 'string' ? await readManifests(what) : what)
  const running = stack.move()
  const stop = () => running.disposeAsync()
  return {
    folder: reaper.folder,
    cluster,
    client,
    ctx,
    aws,
    clouds,
    manager,
    controlPlane: own?.controlPlane,
    core: own?.core,
    kubeControllers: own?.kubeControllers,
    kubelets: kubelets.nodes,
    apply,
    delete: (objects) => applier.delete(objects),
    async namespace(purpose) {
      const name = `${purpose}-${randomBytes(3).toString('hex')}`
      await apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }])
      return name
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The shared one, or a new one of its own. */
async function clusterOf(
  options: LabOptions,
  reaper: Reaper,
  ctx: Ctx,
): Promise<{ cluster: ClusterAccess; own: ManagementCluster | undefined }> {
  const { cluster, kubeControllers } = options
  if (cluster && kubeControllers) throw new Error('A shared cluster gets no controllers; start a lab of its own.')
  if (cluster) return { cluster, own: undefined }
  const own = await unlessAborted(startManagementCluster(options, reaper, ctx), ctx.signal)
  return { cluster: own.access, own }
}

/** They report as often as the node lifecycle controller of their cluster needs it. */
function kubeletsOf(
  { nodeMonitorGraceMs }: ClusterAccess,
  { heartbeatMs = 10_000 }: Pick<LabOptions, 'heartbeatMs'>,
  reach: { readonly client: KubeClient; readonly ctx: Ctx },
): Kubelets {
  if (nodeMonitorGraceMs === undefined) return startKubelets({ ...reach, heartbeatMs })
  // Times in a Node have no fractions of a second.
  return startKubelets({ ...reach, heartbeatMs: Math.max(1_000, nodeMonitorGraceMs / 10), lifecycleIsReal: true })
}

/** EC2 and the requested clouds, or all of another lab. */
async function startClouds(
  { accounts, clouds: names = [] }: LabOptions,
  options: LabCloudOptions,
  stack: AsyncDisposableStack,
): Promise<Pick<Lab, 'aws' | 'clouds'>> {
  if (accounts) return accounts
  const { delays, ctx, nodes } = options
  const aws = await startAwsSimulator({ ...delays, ...ctx, nodes })
  stack.defer(() => aws.close())
  const clouds = [awsOf(aws)]
  for (const name of names.filter((other) => other !== 'aws')) {
    const cloud = await labClouds[name](options)
    stack.defer(() => cloud.close())
    clouds.push(cloud)
  }
  return { aws, clouds }
}
