import type { RequestOptions } from 'node:https'
import { Complaint } from './kubeconfig-document.ts'

export interface PluginCredentials {
  readonly cert?: string
  readonly key?: string
  readonly token: () => Promise<string>
}

/**
 * Credentials that only running something can give (exec, auth-provider, OIDC), by the Kubernetes client library. It is
 * big, so it is loaded here and for this only, and never for a kubeconfig that came out of a Secret.
 *
 * A client certificate that a plugin hands out is asked for once; a token whenever the library holds it for expired.
 */
export async function pluginCredentials(file: string): Promise<PluginCredentials> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromFile(file)
  const ask = async () => {
    const options: RequestOptions = { headers: {} }
    try {
      await config.applyToHTTPSOptions(options)
    } catch (error) {
      throw new Complaint(reasonOf(error))
    }
    return options
  }
  const { cert, key } = await ask()
  return {
    ...(cert && key ? { cert: textOf(cert), key: textOf(key) } : {}),
    token: async () => {
      const { headers } = await ask()
      const value: unknown = (headers as Record<string, unknown>)['Authorization']
      return typeof value === 'string' ? value.replace(/^Bearer /, '') : ''
    },
  }
}

/** What the plugin printed stays out of it: it may be half a credential. */
function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  const why = code === 'ENOENT' ? 'its command was not found' : 'it gave no credential'
  return `The kubeconfig's credential plugin failed: ${why}; run kubectl with this kubeconfig to see what it says.`
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  return Buffer.isBuffer(value) ? value.toString('utf8') : String(value)
}
