import type { Ctx } from '../../../api/ctx.ts'
import { countDevices, gpuResource } from '../../../api/devices.ts'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import type { Scope } from '../../../api/scope.ts'
import type { NodeSize } from '../../cloud.ts'
import { nodeSizeFrom } from '../../shared/node-size.ts'
import { instanceTypeFor } from './instance-type.ts'
import type { Looking } from './lookups.ts'

export async function nodeSizeOf(spec: AzureMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const { cpus, memoryMiB, gpus, architecture } = await instanceTypeFor(spec.vmSize, scope, lookups, ctx)
  return nodeSizeFrom({
    cpus,
    memory: `${memoryMiB}Mi`,
    diskGiB: spec.osDisk?.diskSizeGB,
    devices: countDevices([{ resource: gpuResource(gpuMaker(spec.vmSize)), count: gpus }]),
    nodeInfo: { architecture, operatingSystem: 'linux' },
  })
}

/** Azure does not say whose GPUs a size has, but its name does: NV…v4 and those with MI300X in it have AMD's. */
function gpuMaker(vmSize: string): string {
  return /^Standard_NV\d+as_v4$|_MI300X_|^Standard_NG/i.test(vmSize) ? 'amd' : 'nvidia'
}
