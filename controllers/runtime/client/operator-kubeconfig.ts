import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Complaint, isSet, pemField, readKubeconfig, textField, type Fields } from './kubeconfig-document.ts'
import { tokenFrom } from './service-account.ts'

/** Fields that even the operator's own file may not have, and why. */
const refused: Readonly<Record<string, string>> = {
  'proxy-url': 'proxies are not supported',
  username: 'API servers no longer accept passwords; use a token or a client certificate',
  password: 'API servers no longer accept passwords; use a token or a client certificate',
  as: 'impersonation is not supported',
  'as-uid': 'impersonation is not supported',
  'as-groups': 'impersonation is not supported',
  'as-user-extra': 'impersonation is not supported',
}

/** The file may hold the contexts of many clusters. */
const maxFileKiB = 1024

/**
 * The kubeconfig from the command line. It is the operator's, so it may name files and run commands: certificates and
 * tokens inline or in files, and plugins.
 */
export async function readOperatorKubeconfig(file: string) {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`The kubeconfig ${file} cannot be read; check --kubeconfig.`, { cause: error })
  })
  const { cluster, user } = readKubeconfig(text, { maxKiB: maxFileKiB })
  refuse(cluster)
  refuse(user)
  const server = textField(cluster, 'server')
  if (server === undefined) throw new Complaint("The kubeconfig's cluster has no `server`; add its URL.")
  const near = (path: string) => resolve(dirname(file), path)
  const ca = await pem(cluster, 'certificate-authority', near)
  const serverName = textField(cluster, 'tls-server-name')
  return {
    server,
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecureSkipVerify: true } : {}),
    ...(await credentials(user, { file, near })),
  }
}

async function credentials(user: Fields, { file, near }: { file: string; near: (path: string) => string }) {
  if (isSet(user['exec']) || isSet(user['auth-provider'])) {
    const { pluginCredentials } = await import('./credential-plugin.ts')
    return pluginCredentials(file)
  }
  const cert = await pem(user, 'client-certificate', near)
  const key = await pem(user, 'client-key', near)
  const token = textField(user, 'token')
  const tokenFile = textField(user, 'tokenFile')
  return {
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    // The file comes first, as in kubectl.
    ...(tokenFile === undefined ? {} : { token: tokenFrom(near(tokenFile)) }),
    ...(tokenFile !== undefined || token === undefined ? {} : { token: () => token }),
  }
}

/** Inline data comes before a file, as in kubectl. */
async function pem(fields: Fields, name: string, near: (path: string) => string): Promise<string | undefined> {
  const inline = pemField(fields, `${name}-data`)
  const path = textField(fields, name)
  if (inline !== undefined || path === undefined) return inline
  return readFile(near(path), 'utf8').catch((error: unknown) => {
    throw new Error(`The kubeconfig's \`${name}\` names the file ${near(path)}, which cannot be read.`, {
      cause: error,
    })
  })
}

function refuse(fields: Fields): void {
  for (const [name, why] of Object.entries(refused)) {
    if (isSet(fields[name])) throw new Complaint(`The kubeconfig has \`${name}\`: ${why}.`)
  }
}
