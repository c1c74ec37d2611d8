import type { Ctx } from '../../../api/ctx.ts'
import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import type { NodeSize } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { invalid } from '../../shared/invalid.ts'
import type { Looking } from './lookups.ts'
import { acceleratorsOf } from '../launch/options.ts'

/**
 * What a Node of this machine would offer. Local disks are not counted: the kubelet does not use them unless the
 * bootstrap data sees to it, and an autoscaler that believed in them would add nodes for ever.
 */
export async function nodeSizeOf(spec: GCPMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const type = await lookups.machineType(spec.instanceType, scope, ctx)
  if (!type) {
    throw invalid(
      `spec.instanceType of the GCPMachine: GCE has no type ${spec.instanceType} in ${scope.region}; use another.`,
    )
  }
  return {
    capacity: {
      cpu: String(type.cpus),
      memory: `${type.memoryMiB}Mi`,
      ...(spec.rootDeviceSize ? { 'ephemeral-storage': `${spec.rootDeviceSize}Gi` } : {}),
      ...devicesOf([...type.accelerators, ...acceleratorsOf(spec)]),
    },
    nodeInfo: { architecture: type.architecture, operatingSystem: 'linux' },
  }
}

/** The names under which the makers' device plugins advertise them. */
const resources: readonly { readonly begins: string; readonly resource: string }[] = [
  { begins: 'nvidia-', resource: 'nvidia.com/gpu' },
  { begins: 'ct', resource: 'google.com/tpu' },
]

function devicesOf(accelerators: readonly { type: string; count: number }[]): Record<string, string> {
  const counts: Record<string, number> = {}
  for (const { type, count } of accelerators) {
    const known = resources.find(({ begins }) => type.startsWith(begins))
    if (known) counts[known.resource] = (counts[known.resource] ?? 0) + count
  }
  return Object.fromEntries(Object.entries(counts).map(([resource, count]) => [resource, String(count)]))
}
