import type { Ctx } from '../../../api/ctx.ts'
import { countDevices, gpuResource, tpuResource } from '../../../api/devices.ts'
import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import type { Scope } from '../../../api/scope.ts'
import type { NodeSize } from '../../cloud.ts'
import { nodeSizeFrom } from '../../shared/node-size.ts'
import { acceleratorsOf } from '../launch/options.ts'
import { instanceTypeFor } from './instance-type.ts'
import type { Looking } from './lookups.ts'

export async function nodeSizeOf(spec: GCPMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const { cpus, memoryMiB, architecture, accelerators } = await instanceTypeFor(spec.instanceType, scope, lookups, ctx)
  const all = [...accelerators, ...acceleratorsOf(spec)]
  return nodeSizeFrom({
    cpus,
    memory: `${memoryMiB}Mi`,
    diskGiB: spec.rootDeviceSize,
    devices: countDevices(all.map(({ type, count }) => ({ resource: resourceOf(type), count }))),
    nodeInfo: { architecture, operatingSystem: 'linux' },
  })
}

/** GCE's types of accelerators begin with their maker, those of TPUs with `ct`. */
function resourceOf(type: string): string | undefined {
  const [maker = ''] = type.split('-')
  return type.startsWith('ct') ? tpuResource : gpuResource(maker)
}
