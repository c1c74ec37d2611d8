import { createClient, type KubeClient } from '../../../controllers/runtime/client/client.ts'
import type { Lab } from '../../lab/lab.ts'
import { connectionOf } from '../../lab/processes/management-cluster.ts'
import type { Manifest } from '../../lab/objects.ts'
import { tokenOf } from '../../lab/tokens.ts'

const apiGroup = 'rbac.authorization.k8s.io'

/** The rights of a user, in a namespace and without one. */
export interface Granted {
  readonly rules?: readonly object[]
  /** Names of ClusterRoles that are bound for every namespace. */
  readonly roles?: readonly string[]
}

/** A ServiceAccount of this namespace with these rights, as a client. It lives as long as the lab. */
export async function asUser(
  name: string,
  { rules = [], roles = [] }: Granted,
  { lab, namespace }: { lab: Lab; namespace: string },
): Promise<KubeClient> {
  const metadata = { name, namespace }
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const apiVersion = `${apiGroup}/v1`
  const clusterWide = roles.map((role): Manifest => {
    const granted = { subjects, roleRef: { apiGroup, kind: 'ClusterRole', name: role } }
    const named = { metadata: { name: `${namespace}-${name}-${role}` } }
    return Object.assign({ apiVersion, kind: 'ClusterRoleBinding', ...named }, granted)
  })
  const roleRef = { apiGroup, kind: 'Role', name }
  const own: Manifest[] = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    Object.assign({ apiVersion, kind: 'Role', metadata }, { rules }),
    Object.assign({ apiVersion, kind: 'RoleBinding', metadata }, { subjects, roleRef }),
  ]
  await lab.apply([...own, ...clusterWide])
  const { server, ca } = connectionOf(lab.cluster.admin)
  const token = await tokenOf(name, { lab, namespace })
  return createClient({ server, ...(ca === undefined ? {} : { ca }), token: () => token }, { userAgent: name })
}
