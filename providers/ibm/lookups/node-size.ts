import type { Ctx } from '../../../api/ctx.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import type { NodeSize } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { invalid } from '../../shared/invalid.ts'
import { nodeSizeFrom } from '../../shared/node-size.ts'
import type { Looking } from './lookups.ts'
import { instanceTypeFor } from './instance-type.ts'

export async function nodeSizeOf(spec: IBMMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const [profile, isWindows] = await Promise.all([
    instanceTypeFor(spec.profile, scope, lookups, ctx),
    isOfWindows(spec.image, lookups, scope, ctx),
  ])
  if (profile.architecture !== 'amd64') {
    throw invalid(
      `spec.profile of the IBMMachine: what a Node of ${profile.name} offers cannot be said, because its architecture is ` +
        `${profile.architecture}. Scaling from zero needs a profile of amd64.`,
    )
  }
  return nodeSizeFrom({
    cpus: profile.cpus,
    memory: `${profile.memoryGiB}Gi`,
    diskGiB: spec.bootVolume?.sizeGiB,
    devices: profile.devices,
    nodeInfo: { architecture: 'amd64', operatingSystem: isWindows ? 'windows' : 'linux' },
  })
}

async function isOfWindows(
  { id, name }: IBMMachineSpec['image'],
  lookups: Looking,
  scope: Scope,
  ctx: Ctx,
): Promise<boolean> {
  if (id) return (await lookups.image(id, scope, ctx))?.isWindows ?? false
  const named = name ? await lookups.imagesNamed(name, scope, ctx) : []
  return named.some(({ isWindows }) => isWindows)
}
