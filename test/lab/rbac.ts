import { existsSync } from 'node:fs'
import path from 'node:path'
import { readManifests, type Applier, type Manifest } from './objects.ts'

const folder = path.join(import.meta.dirname, '..', '..', 'config', 'rbac')

/** The namespace in which the manager lives where it is installed. */
export const managerNamespace = 'capspot-system'
export const managerUser = 'capspot-manager'

/** Grants our manager's user what config/rbac grants the manager where it is installed, and no more. */
export async function grantManager(applier: Applier): Promise<void> {
  await applier.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: managerNamespace } }])
  const roles = existsSync(folder) ? (await readManifests(folder)).filter(isForManager) : []
  await applier.apply(roles.map(inManagerNamespace))
  await applier.apply(roles.map(bindingOf))
}

/** Roles that are there to be aggregated into somebody else's grant nothing to us. */
function isForManager({ kind, metadata }: Manifest): boolean {
  const aggregated = Object.keys(metadata.labels ?? {}).some((label) => label.includes('/aggregate-to-'))
  return (kind === 'ClusterRole' || kind === 'Role') && !aggregated
}

function inManagerNamespace(role: Manifest): Manifest {
  return role.kind === 'Role' ? { ...role, metadata: { ...role.metadata, namespace: managerNamespace } } : role
}

function bindingOf({ apiVersion, kind, metadata: { name } }: Manifest) {
  return inManagerNamespace({
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name: `lab-${name}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: managerUser }],
  } as Manifest)
}
