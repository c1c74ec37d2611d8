import type { Ctx } from '../../../api/ctx.ts'
import { Complaint, isSet, pemField, readKubeconfig, textField, type Fields } from './kubeconfig-document.ts'
import { readOperatorKubeconfig } from './operator-kubeconfig.ts'
import { secureContextOf } from './secure-context.ts'
import { inCluster, podFolder, type PodEnvironment } from './service-account.ts'

/** The address of an API server and the credentials for it. */
export interface Connection {
  /** The URL. Its path is put before the path of every request. */
  readonly server: string
  /** PEM. Without it the well-known authorities are trusted. */
  readonly ca?: string
  /** PEM of the client certificate and its key. */
  readonly cert?: string
  readonly key?: string
  /** Called before every request, so that a renewed token is used at once. */
  readonly token?: () => string | Promise<string>
  /** The name in the server's certificate, if it is not the host of the URL. */
  readonly serverName?: string
  /** Trust any server. Only the operator's own kubeconfig can ask for it. */
  readonly insecureSkipVerify?: boolean
}

/** The message says which field of the kubeconfig is wrong and what to do. It repeats nothing of the contents. */
export class KubeconfigNotSupported extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KubeconfigNotSupported'
  }
}

const clusterFields = new Set(['server', 'certificate-authority-data', 'tls-server-name'])
const userFields = new Set(['token', 'client-certificate-data', 'client-key-data'])
/** These fields change neither the address nor the credentials. */
const ignoredFields = new Set(['extensions', 'disable-compression'])

const noCommands = 'the manager does not run commands; use a ServiceAccount token in `token` instead'
const noPasswords = 'API servers no longer accept passwords; use a ServiceAccount token in `token` instead'
const noImpersonation = 'impersonation is not supported; use the credentials of that user'
const inlineOnly = 'the manager does not read files; put its contents, in base64, into'

const advice: Readonly<Record<string, string>> = {
  exec: noCommands,
  'auth-provider': noCommands,
  username: noPasswords,
  password: noPasswords,
  tokenFile: 'the manager does not read files; put the token itself into `token`',
  'client-certificate': `${inlineOnly} \`client-certificate-data\``,
  'client-key': `${inlineOnly} \`client-key-data\``,
  'certificate-authority': `${inlineOnly} \`certificate-authority-data\``,
  'insecure-skip-tls-verify':
    'it would send credentials to any server; put the authority into `certificate-authority-data`',
  'proxy-url': 'proxies are not supported; use a `server` that the manager can reach',
  as: noImpersonation,
  'as-uid': noImpersonation,
  'as-groups': noImpersonation,
  'as-user-extra': noImpersonation,
}

/** A real kubeconfig has some KiB. A Secret could hold a MiB of YAML that is slow to parse on purpose. */
const maxSecretKiB = 128

/**
 * A kubeconfig out of a Secret. Anybody who may write Secrets can write it, so it may choose a server and hold
 * credentials, and nothing else. Nothing is run and no file is read.
 */
export function parseWorkloadKubeconfig(text: string): Connection {
  try {
    const { cluster, user } = readKubeconfig(text, { maxKiB: maxSecretKiB })
    allowOnly(cluster, clusterFields)
    allowOnly(user, userFields)
    return checked({ ...endpoint(cluster), ...identity(user) })
  } catch (error) {
    throw new KubeconfigNotSupported(
      error instanceof Complaint ? error.message : 'The kubeconfig cannot be read; create it again.',
    )
  }
}

/** The operator's kubeconfig. Without one: the credentials that a pod has in its cluster. */
export async function loadConnection(
  file: string | undefined,
  ctx: Ctx,
  pod: PodEnvironment = { env: process.env, folder: podFolder },
): Promise<Connection> {
  if (file === undefined) return checked(await inCluster(pod))
  try {
    const connection = checked(await readOperatorKubeconfig(file))
    if (connection.insecureSkipVerify) ctx.log.warn('Trusting any API server, as the kubeconfig asks for', { file })
    return connection
  } catch (error) {
    if (error instanceof Complaint) throw new KubeconfigNotSupported(`${file}: ${error.message}`)
    throw error
  }
}

function endpoint(cluster: Fields): Pick<Connection, 'server' | 'ca' | 'serverName'> {
  const server = textField(cluster, 'server')
  if (!server?.startsWith('https://')) {
    throw new Complaint('The kubeconfig\'s cluster needs a `server` that begins with "https://".')
  }
  const ca = pemField(cluster, 'certificate-authority-data')
  const serverName = textField(cluster, 'tls-server-name')
  return { server, ...(ca === undefined ? {} : { ca }), ...(serverName === undefined ? {} : { serverName }) }
}

function identity(user: Fields): Pick<Connection, 'cert' | 'key' | 'token'> {
  const token = textField(user, 'token')
  const cert = pemField(user, 'client-certificate-data')
  const key = pemField(user, 'client-key-data')
  if (token === undefined && cert === undefined && key === undefined) {
    throw new Complaint("The kubeconfig's user has no credentials; put a ServiceAccount token into `token`.")
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Complaint("The kubeconfig's `token` holds characters that no token has; write it anew.")
  }
  return {
    ...(token === undefined ? {} : { token: () => token }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
}

/** The name of an unknown field is not repeated: it is part of the text. */
function allowOnly(fields: Fields, allowed: ReadonlySet<string>): void {
  for (const name of Object.keys(fields)) {
    if (allowed.has(name) || ignoredFields.has(name) || !isSet(fields[name])) continue
    const why = Object.hasOwn(advice, name) ? advice[name] : undefined
    if (why !== undefined) throw new Complaint(`The kubeconfig has \`${name}\`, which is not accepted here: ${why}.`)
    throw new Complaint(
      `The kubeconfig has a field that is not accepted here; accepted are ${[...clusterFields, ...userFields]
        .map((field) => `\`${field}\``)
        .join(', ')}.`,
    )
  }
}

/** Checks now what would otherwise fail with every request. */
function checked(connection: Connection): Connection {
  const url = URL.parse(connection.server)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Complaint("The kubeconfig's `server` must be a URL of scheme, host, port and path alone.")
  }
  try {
    secureContextOf(connection)
  } catch (error) {
    throw new Complaint(
      `The certificates of the kubeconfig are not valid: ${error instanceof Error ? error.message : ''}.`,
    )
  }
  return connection
}
