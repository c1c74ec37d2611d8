import type { Address } from '../../../../api/instance.ts'

/** A machine whose operating system is up and whose bootstrap data made it join a cluster. Knows no cloud. */
export interface BootedMachine {
  /** The name of its Node. */
  readonly name: string
  readonly providerID: string
  readonly instanceType: string
  readonly region: string
  readonly zone: string
  readonly addresses: readonly Address[]
  readonly architecture: 'amd64' | 'arm64'
  readonly cpus: number
  readonly memoryMiB: number
  /** Devices by the resource name that their plugin would announce, such as `nvidia.com/gpu`. */
  readonly devices: Readonly<Record<string, number>>
}

/**
 * What a simulator tells of its machines to whoever plays their kubelets. It is told, not asked: a registrar takes its
 * time, and no simulated cloud waits for a Node.
 */
export interface NodeRegistrar {
  started(machine: BootedMachine): void
  /** Its kubelet has fallen silent. */
  stopped(machine: BootedMachine): void
}

/** No cluster: machines boot and there are no Nodes. */
export const noNodes: NodeRegistrar = { started: () => {}, stopped: () => {} }
