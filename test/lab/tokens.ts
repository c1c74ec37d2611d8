import { Transport } from '../../controllers/runtime/client/transport.ts'
import type { Lab } from './lab.ts'
import type { Manifest } from './objects.ts'
import { connectionOf } from './processes/management-cluster.ts'

/** A token of a ServiceAccount. `bound`: it is that of a Pod, and ends with it. */
export async function tokenOf(
  name: string,
  { lab, namespace, bound }: { lab: Lab; namespace: string; bound?: Manifest },
): Promise<string> {
  const transport = new Transport(connectionOf(lab.cluster.admin), { userAgent: 'test', timeoutMs: 30_000 })
  try {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
    const json = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: bound ? { boundObjectRef: refTo(bound) } : {},
    }
    const answer = await transport.text({ method: 'POST', path, body: { type: 'application/json', json } }, lab.ctx)
    return (JSON.parse(answer) as { status: { token: string } }).status.token
  } finally {
    await transport.close()
  }
}

function refTo({ apiVersion, kind, metadata: { name, uid } }: Manifest) {
  return { apiVersion, kind, name, uid }
}
