import type { RequestOptions } from 'node:https'
import { Complaint } from './kubeconfig-document.ts'

export interface PluginCredentials {
  readonly cert?: string
  readonly key?: string
  readonly token: () => Promise<string>
}

/**
 * Credentials from a plugin (exec, auth-provider, OIDC), by the Kubernetes client library. The library is large, so it
 * is loaded only here, and never for a kubeconfig out of a Secret.
 *
 * A client certificate of a plugin is requested once. A token is requested whenever the library considers it expired.
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

/** The plugin's output is not repeated: it may contain half a credential. */
function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  const why = code === 'ENOENT' ? 'its command was not found' : 'it gave no credential'
  return `The kubeconfig's credential plugin failed: ${why}; run kubectl with this kubeconfig to see what it says.`
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  return Buffer.isBuffer(value) ? value.toString('utf8') : String(value)
}
