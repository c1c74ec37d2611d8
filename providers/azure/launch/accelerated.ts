import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Looking } from '../lookups/lookups.ts'
import { acceleratedBy } from './placement.ts'
import type { AzureWanted } from './wanted.ts'

/**
 * Whether the network interface of a machine is accelerated: as its spec says, else where its size supports it, as in
 * Cluster API Provider Azure. Undefined where Azure decides. No permission to list sizes is needed for a launch.
 */
export async function isAccelerated(
  { spec, scope }: AzureWanted,
  lookups: Looking,
  ctx: Ctx,
): Promise<boolean | undefined> {
  const said = acceleratedBy(spec)
  if (said !== undefined) return said
  try {
    return (await lookups.instanceType(spec.vmSize, scope, ctx))?.hasAcceleratedNetworking || undefined
  } catch (thrown) {
    if (thrown instanceof CloudError && thrown.kind === 'denied') return undefined
    throw thrown
  }
}
