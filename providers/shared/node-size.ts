import type { NodeSize } from '../cloud.ts'

interface Size {
  readonly cpus: number
  /** As a Kubernetes quantity. */
  readonly memory: string
  /** Undefined, or none: nothing says how large the disk is. */
  readonly diskGiB: number | undefined
  /** By resource. */
  readonly devices: Readonly<Record<string, number>>
  readonly nodeInfo: NodeSize['nodeInfo']
}

/**
 * The resources of a Node of such a machine. Disks that come with a type are not counted: the kubelet does not use them
 * unless the bootstrap data sees to it, and an autoscaler that counted on them would add nodes for ever.
 */
export function nodeSizeFrom({ cpus, memory, diskGiB, devices, nodeInfo }: Size): NodeSize {
  return {
    capacity: {
      cpu: String(cpus),
      memory,
      ...(diskGiB ? { 'ephemeral-storage': `${diskGiB}Gi` } : {}),
      ...Object.fromEntries(Object.entries(devices).map(([resource, count]) => [resource, String(count)])),
    },
    nodeInfo,
  }
}
