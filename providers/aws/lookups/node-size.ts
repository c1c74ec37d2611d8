import type { Ctx } from '../../../api/ctx.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { NodeSize } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { unknownType } from '../launch/images.ts'
import type { Looking } from './lookups.ts'

const architectures = { x86_64: 'amd64', arm64: 'arm64' } as const

/**
 * What a Node of this machine would offer. The disks that come with some types are not counted: the kubelet does not
 * use them unless the bootstrap data sees to it, and an autoscaler that believed in them would add nodes for ever.
 */
export async function nodeSizeOf(spec: AWSMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const [type, image] = await Promise.all([
    lookups.instanceType(spec.instanceType, scope, ctx),
    spec.ami?.id ? lookups.image(spec.ami.id, scope, ctx) : undefined,
  ])
  if (!type) throw unknownType(spec.instanceType, scope.region)
  const devices = Object.entries(type.devices).map(([resource, count]) => [resource, String(count)])
  return {
    capacity: {
      cpu: String(type.cpus),
      memory: `${type.memoryMiB}Mi`,
      ...(spec.rootVolume ? { 'ephemeral-storage': `${spec.rootVolume.size}Gi` } : {}),
      ...(Object.fromEntries(devices) as Record<string, string>),
    },
    nodeInfo: {
      architecture: architectures[type.architecture],
      operatingSystem: image?.isWindows ? 'windows' : 'linux',
    },
  }
}
