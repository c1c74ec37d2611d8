import type { KubeObject } from '../../../../api/meta.ts'
import type { BootedMachine } from '../instances/nodes.ts'

/** Of every simulated image. */
export const kubeletVersion = 'v1.36.3'

export interface NodeCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly lastHeartbeatTime: string
  readonly lastTransitionTime: string
}

export interface NodeObject extends KubeObject {
  readonly spec: { readonly providerID: string }
  readonly status?: object
}

/** The Node as a kubelet registers it. */
export function nodeObject(machine: BootedMachine, now: number): NodeObject {
  const { name, providerID, instanceType, region, zone, architecture } = machine
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/arch': architecture,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': instanceType,
        'topology.kubernetes.io/region': region,
        'topology.kubernetes.io/zone': zone,
      },
    },
    spec: { providerID },
    status: {
      addresses: machine.addresses,
      capacity: resources(machine, 0),
      allocatable: resources(machine, 256),
      conditions: readyConditions({ now, since: now }),
      nodeInfo: nodeInfo(machine),
    },
  }
}

export interface Times {
  readonly now: number
  /** When the state began. */
  readonly since: number
}

export function readyConditions(times: Times): readonly NodeCondition[] {
  const fine = (type: string, reason: string, message: string) =>
    condition({ type, status: 'False', reason, message }, times)
  return [
    fine('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    fine('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    fine('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    condition(
      { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
      times,
    ),
  ]
}

/** What the node lifecycle controller makes of a kubelet from which nothing is heard. */
export function silentConditions(times: Times): readonly NodeCondition[] {
  const message = 'Kubelet stopped posting node status.'
  return ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) =>
    condition({ type, status: 'Unknown', reason: 'NodeStatusUnknown', message }, times),
  )
}

function condition(
  said: Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>,
  { now, since }: Times,
): NodeCondition {
  return { ...said, lastHeartbeatTime: seconds(now), lastTransitionTime: seconds(since) }
}

function resources({ cpus, memoryMiB, devices }: BootedMachine, reservedMiB: number): Record<string, string> {
  return {
    cpu: String(cpus),
    memory: `${memoryMiB - reservedMiB}Mi`,
    'ephemeral-storage': '20Gi',
    pods: '110',
    ...Object.fromEntries(Object.entries(devices).map(([name, count]) => [name, String(count)])),
  }
}

function nodeInfo({ architecture, providerID }: BootedMachine) {
  const id = providerID.slice(providerID.lastIndexOf('/') + 1)
  return {
    architecture,
    operatingSystem: 'linux',
    osImage: 'Ubuntu 24.04 LTS (simulated)',
    kernelVersion: '6.8.0',
    kubeletVersion,
    kubeProxyVersion: '',
    containerRuntimeVersion: 'containerd://2.1.0',
    machineID: id,
    systemUUID: id,
    bootID: id,
  }
}

function seconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
