import { readFile, stat } from 'node:fs/promises'

/**
 * A token in a file that somebody else renews (a projected ServiceAccount token, a kubeconfig's tokenFile): read again
 * when the file is another one. When it cannot be read for a moment the last token goes on serving.
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

/** Where the kubelet puts what a pod needs to talk to the API server. */
export const podFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The namespace that this pod is in; undefined outside of a cluster. */
export async function podNamespace(folder: string = podFolder): Promise<string | undefined> {
  const text = await readFile(`${folder}/namespace`, 'utf8').catch(() => '')
  return text.trim() || undefined
}

export interface PodEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the kubelet puts token and certificate authority. */
  readonly folder: string
}

/** What a pod is given to talk to its own cluster's API server. */
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
