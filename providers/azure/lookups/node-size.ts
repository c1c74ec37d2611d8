import type { Ctx } from '../../../api/ctx.ts'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import type { NodeSize } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { invalid } from '../../shared/invalid.ts'
import type { Looking } from './lookups.ts'

/** What a Node of this machine would offer. */
export async function nodeSizeOf(spec: AzureMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const type = await lookups.instanceType(spec.vmSize, scope, ctx)
  if (!type) {
    throw invalid(`spec.vmSize of the AzureMachine: Azure has no size ${spec.vmSize} in ${scope.region}; use another.`)
  }
  const { diskSizeGB } = spec.osDisk ?? {}
  return {
    capacity: {
      cpu: String(type.cpus),
      memory: `${type.memoryMiB}Mi`,
      ...(diskSizeGB === undefined ? {} : { 'ephemeral-storage': `${diskSizeGB}Gi` }),
      ...(type.gpus > 0 ? { [gpuResource(spec.vmSize)]: String(type.gpus) } : {}),
    },
    nodeInfo: { architecture: type.architecture, operatingSystem: 'linux' },
  }
}

/** Azure does not say whose GPUs a size has, but its name does: NV…v4 and those with MI300X in it have AMD's. */
function gpuResource(vmSize: string): string {
  return /^Standard_NV\d+as_v4$|_MI300X_|^Standard_NG/i.test(vmSize) ? 'amd.com/gpu' : 'nvidia.com/gpu'
}
