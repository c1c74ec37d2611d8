import type { Ctx } from '../../../api/ctx.ts'
import type { AWSClusterSpec } from '../../../api/generated/aws-cluster.ts'
import type { Subnet } from '../lookups/facts.ts'
import { invalid } from '../../shared/invalid.ts'
import type { Filter, Looking } from '../lookups/lookups.ts'
import { inVpc, type AwsWanted } from './wanted.ts'

type Listed = NonNullable<NonNullable<AWSClusterSpec['network']>['subnets']>[number]

/** The subnets that the machine's own spec names; at least one. */
export async function ownSubnets(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<readonly Subnet[]> {
  const { id, filters = [] } = wanted.spec.subnet ?? {}
  const listed = wanted.cluster.network?.subnets?.find((subnet) => id !== undefined && subnet.id === id)
  const said = listed && asSaid(listed)
  if (said) return [said]
  const found = await lookups.subnets(id ? [byIds([id])] : usable(wanted, filters), wanted.scope, ctx)
  if (found.length > 0) return found
  throw invalid(`EC2 shows no such subnet in ${wanted.scope.region}; correct it.`)
}

/** The subnets of the cluster, in the order of its spec; at least one. */
export async function clusterSubnets(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<readonly Subnet[]> {
  const { cluster, scope } = wanted
  const listed = cluster.network?.subnets ?? []
  if (listed.length === 0) throw invalid('it is empty; add a subnet, or set spec.subnet of the AWSMachine.')
  const unsaid = listed.filter((subnet) => !asSaid(subnet)).flatMap(({ id }) => id ?? [])
  const asked = unsaid.length > 0 ? await lookups.subnets([byIds(unsaid)], scope, ctx) : []
  const found = await Promise.all(
    listed.map(async (subnet) => {
      const said = asSaid(subnet)
      if (said) return [said]
      const { id, filters = [], isPublic } = subnet
      const known = id
        ? asked.filter((one) => one.id === id)
        : await lookups.subnets(usable(wanted, filters), scope, ctx)
      return known.map((one) => ({ ...one, isPublic: isPublic ?? one.isPublic }))
    }),
  )
  const all = found.flat()
  if (all.length === 0) throw invalid(`EC2 shows none of them in ${scope.region}; correct it.`)
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at)
}

/** EC2 is not asked about a subnet that the cluster describes. */
function asSaid({ id, availabilityZone, isPublic = false }: Listed): Subnet | undefined {
  return id && availabilityZone ? { id, zone: availabilityZone, isPublic } : undefined
}

function byIds(values: readonly string[]): Filter {
  return { name: 'subnet-id', values }
}

function usable(wanted: AwsWanted, filters: readonly Filter[]): Filter[] {
  return inVpc(wanted, [...filters, { name: 'state', values: ['available'] }])
}
