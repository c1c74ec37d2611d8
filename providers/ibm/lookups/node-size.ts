import type { Ctx } from '../../../api/ctx.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import type { NodeSize } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { invalid } from '../../shared/invalid.ts'
import type { Looking } from './lookups.ts'
import { profileFor } from './instance-type.ts'

/**
 * What a Node of this machine would offer. The disks that come with some profiles are not counted: the kubelet does not
 * use them unless the bootstrap data sees to it, and an autoscaler that believed in them would add nodes for ever.
 */
export async function nodeSizeOf(spec: IBMMachineSpec, lookups: Looking, scope: Scope, ctx: Ctx): Promise<NodeSize> {
  const [profile, isWindows] = await Promise.all([
    profileFor(spec.profile, scope, lookups, ctx),
    isOfWindows(spec.image, lookups, scope, ctx),
  ])
  if (profile.architecture !== 'amd64') {
    throw invalid(
      `spec.profile of the IBMMachine: what a Node of ${profile.name} offers cannot be said, because its architecture is ` +
        `${profile.architecture}. Scaling from zero needs a profile of amd64.`,
    )
  }
  const devices = Object.entries(profile.devices).map(([resource, count]) => [resource, String(count)])
  const size = spec.bootVolume?.sizeGiB
  return {
    capacity: {
      cpu: String(profile.cpus),
      memory: `${profile.memoryGiB}Gi`,
      ...(size === undefined ? {} : { 'ephemeral-storage': `${size}Gi` }),
      ...(Object.fromEntries(devices) as Record<string, string>),
    },
    nodeInfo: { architecture: 'amd64', operatingSystem: isWindows ? 'windows' : 'linux' },
  }
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
