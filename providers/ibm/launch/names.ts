import type { Ctx } from '../../../api/ctx.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import type { Looking } from '../lookups/lookups.ts'
import type { VpcNamed } from '../wire/documents.ts'
import type { IbmWanted } from './wanted.ts'

type Naming = { readonly id?: string; readonly name?: string }
type Ids = readonly { readonly id: string }[] | undefined

/** The keys that may log in. */
export async function keysFor({ spec, scope }: IbmWanted, lookups: Looking, ctx: Ctx): Promise<Ids> {
  const field = 'spec.sshKeys of the IBMMachine'
  return idsOf(spec.sshKeys, field, () => lookups.keys(scope, ctx))
}

/** The machine's own security groups, else the cluster's, else none: then IBM takes the VPC's default group. */
export async function securityGroupsFor(
  { spec, cluster, scope }: IbmWanted,
  vpc: string | undefined,
  lookups: Looking,
  ctx: Ctx,
): Promise<Ids> {
  const own = spec.primaryNetworkInterface?.securityGroups
  const field = own
    ? 'spec.primaryNetworkInterface.securityGroups of the IBMMachine'
    : 'spec.network.securityGroups of the IBMCluster'
  return idsOf(own ?? cluster.network?.securityGroups, field, () => lookups.securityGroups(vpc, scope, ctx))
}

/** Nobody is asked where all are named by their ids. */
async function idsOf(
  given: readonly Naming[] | undefined,
  field: string,
  look: () => Promise<readonly VpcNamed[]>,
): Promise<Ids> {
  if (!given || given.length === 0) return undefined
  const known = given.some(({ id }) => id === undefined) ? await inField(field, look()) : []
  return given.map(({ id, name = '' }) => {
    if (id !== undefined) return { id }
    const [found, another] = known.filter((one) => one.name === name)
    if (!found) throw invalid(`${field}: the name ${name} does not exist; correct it, or use the id.`)
    if (another) throw invalid(`${field}: the name ${name} is not unique; use the id.`)
    return { id: found.id }
  })
}
