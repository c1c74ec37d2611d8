import type { Ctx } from '../../../api/ctx.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { Scope } from '../../../api/scope.ts'
import type { NodeSize } from '../../cloud.ts'
import { nodeSizeFrom } from '../../shared/node-size.ts'
import { instanceTypeFor } from './instance-type.ts'
import type { Looking } from './lookups.ts'

const architectures = { x86_64: 'amd64', arm64: 'arm64' } as const

export async function nodeSizeOf(spec: AWSMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const [type, image] = await Promise.all([
    instanceTypeFor(spec.instanceType, scope, lookups, ctx),
    spec.ami?.id ? lookups.image(spec.ami.id, scope, ctx) : undefined,
  ])
  return nodeSizeFrom({
    cpus: type.cpus,
    memory: `${type.memoryMiB}Mi`,
    diskGiB: spec.rootVolume?.size,
    devices: type.devices,
    nodeInfo: {
      architecture: architectures[type.architecture],
      operatingSystem: image?.isWindows ? 'windows' : 'linux',
    },
  })
}
