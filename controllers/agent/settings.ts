/** The environment variables of the agent. `docs/agent.md` has a row for each. */
export const variables = {
  NODE_NAME: 'the Node on which the agent runs',
  POD_NAME: 'the Pod of the agent',
  POD_NAMESPACE: 'the namespace of that Pod',
  KUBERNETES_SERVICE_HOST: 'the address of the API server; the kubelet sets it',
  KUBERNETES_SERVICE_PORT: 'its port; the kubelet sets it',
  CAPSPOT_METADATA_ENDPOINT: 'the metadata service of the cloud; default http://169.254.169.254',
  CAPSPOT_SERVICE_ACCOUNT: 'the folder with token and ca.crt; default /var/run/secrets/kubernetes.io/serviceaccount',
} as const

type Variable = keyof typeof variables

export interface Settings {
  readonly node: string
  readonly pod: { readonly namespace: string; readonly name: string }
  readonly apiServer: string
  readonly metadata: string
  /** The folder with the token and the certificate authority. */
  readonly credentials: string
}

/** A sentence about a missing or wrong variable. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

export function settingsOf(env: Readonly<Record<string, string | undefined>>): Settings {
  const required = (name: Variable): string => {
    const value = env[name]
    if (value) return value
    throw new BadSetting(`${name} is not set: ${variables[name]}.`)
  }
  const host = required('KUBERNETES_SERVICE_HOST')
  return {
    node: required('NODE_NAME'),
    pod: { namespace: required('POD_NAMESPACE'), name: required('POD_NAME') },
    apiServer: `https://${host.includes(':') ? `[${host}]` : host}:${required('KUBERNETES_SERVICE_PORT')}`,
    metadata: endpoint(env['CAPSPOT_METADATA_ENDPOINT'] || 'http://169.254.169.254'),
    credentials: env['CAPSPOT_SERVICE_ACCOUNT'] || '/var/run/secrets/kubernetes.io/serviceaccount',
  }
}

function endpoint(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' && url.pathname === '/' && !url.search) return url.origin
  throw new BadSetting(`CAPSPOT_METADATA_ENDPOINT must be a URL such as http://169.254.169.254.`)
}
