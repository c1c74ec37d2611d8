import type { Ctx } from '../../../api/ctx.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import type { Looking } from '../lookups/lookups.ts'
import { inVpc, type AwsWanted } from './wanted.ts'

/** The ids of all security groups: the cluster's groups for every node, then the machine's own. */
export async function securityGroupsFor(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<string[]> {
  const { node, lb, 'node-eks-additional': eks } = wanted.cluster.network?.securityGroupOverrides ?? {}
  const own = await Promise.all(
    (wanted.spec.additionalSecurityGroups ?? []).map(async ({ id, filters }, at) => {
      if (id) return [id]
      const field = `spec.additionalSecurityGroups[${at}].filters of the AWSMachine`
      const found = await inField(field, lookups.securityGroups(inVpc(wanted, filters ?? []), wanted.scope, ctx))
      if (found.length > 0) return found
      throw invalid(`${field} match no security group in ${wanted.scope.region}; correct the filters, or set the id.`)
    }),
  )
  return [...new Set([node, lb, eks, ...own.flat()])].filter((id) => id !== undefined)
}
