import { readFile, stat } from 'node:fs/promises'

/**
 * A token in a file that another process renews: a projected ServiceAccount token, or a kubeconfig's tokenFile. The
 * file is read again when it has changed. While it cannot be read, the last token is used.
 */
export function tokenFrom(file: string): () => Promise<string> {
  let seen = ''
  let token: string | undefined
  return async () => {
    try {
      const { mtimeMs, size, ino } = await stat(file)
      const now = `${mtimeMs} ${size} ${ino}`
      if (token === undefined || now !== seen) {
        token = (await readFile(file, 'utf8')).trim() || token
        seen = now
      }
    } catch (error) {
      if (token === undefined) throw new Error(`The token file ${file} cannot be read.`, { cause: error })
    }
    if (token === undefined) throw new Error(`The token file ${file} is empty.`)
    return token
  }
}

/** The kubelet puts the pod's credentials for the API server here. */
export const podFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The namespace of this pod. Undefined outside of a cluster. */
export async function podNamespace(folder: string = podFolder): Promise<string | undefined> {
  const text = await readFile(`${folder}/namespace`, 'utf8').catch(() => '')
  return text.trim() || undefined
}

export interface PodEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder with the token and the certificate authority. */
  readonly folder: string
}

/** The address and credentials that a pod has for its own cluster's API server. */
export async function inCluster({ env, folder }: PodEnvironment) {
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  if (!host || !port) {
    throw new Error(
      'There is no kubeconfig, and this does not run in a cluster (KUBERNETES_SERVICE_HOST and ' +
        'KUBERNETES_SERVICE_PORT are not set); pass --kubeconfig.',
    )
  }
  const token = tokenFrom(`${folder}/token`)
  await token()
  const ca = await readFile(`${folder}/ca.crt`, 'utf8').catch((error: unknown) => {
    throw new Error(`The cluster's certificate authority ${folder}/ca.crt cannot be read.`, { cause: error })
  })
  return { server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, ca, token }
}
