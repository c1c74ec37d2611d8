import { existsSync } from 'node:fs'
import path from 'node:path'
import { readManifests, type Applier, type Manifest } from './objects.ts'

const ours = path.join(import.meta.dirname, '..', '..', 'config', 'rbac')
const aggregated = 'cluster.x-k8s.io/aggregate-to-manager'
const apiGroup = 'rbac.authorization.k8s.io'

/** A user, and the namespace in which it would run where it is installed. */
interface Grantee {
  readonly user: string
  readonly namespace: string
}
export const manager: Grantee = { user: 'capspot-manager', namespace: 'capspot-system' }
export const core: Grantee = { user: 'capi-manager', namespace: 'capi-system' }

/**
 * Grants each of the two managers what its own manifests grant it where it is installed, and no more. The rules that we
 * ship for core's role come to it here directly: what gathers them elsewhere is a controller that no lab has.
 */
export async function grantManagers(applier: Applier, coreConfig: string): Promise<void> {
  const [theirRoles, ourRoles] = [await rolesIn(path.join(coreConfig, 'rbac')), await rolesIn(ours)]
  const isForCore = ({ metadata }: Manifest) => metadata.labels?.[aggregated] === 'true'
  await grant(
    manager,
    ourRoles.filter((role) => !isForCore(role)),
    applier,
  )
  await grant(core, [...theirRoles, ...ourRoles.filter(isForCore)], applier)
}

async function rolesIn(folder: string): Promise<Manifest[]> {
  const manifests = existsSync(folder) ? await readManifests(folder) : []
  return manifests.filter((manifest) => /^(Cluster)?Role$/.test(manifest.kind) && !('aggregationRule' in manifest))
}

async function grant({ user, namespace }: Grantee, roles: readonly Manifest[], applier: Applier): Promise<void> {
  const granted = roles.flatMap((role) => {
    // The name of a role is prefixed where it is installed; here the user's name keeps two of one name apart.
    const name = `${user}:${role.metadata.name}`
    const metadata = role.kind === 'Role' ? { name, namespace } : { name }
    const roleRef = { apiGroup, kind: role.kind, name }
    const subjects = [{ apiGroup, kind: 'User', name: user }]
    const binding = { apiVersion: role.apiVersion, kind: `${role.kind}Binding`, metadata, roleRef, subjects }
    return [{ ...role, metadata }, binding]
  })
  await applier.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, ...granted])
}
