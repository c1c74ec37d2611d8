import type { Ctx } from '../../../api/ctx.ts'
import type { Looking } from '../lookups/lookups.ts'
import { idsOf, type Ids } from './named-ids.ts'
import type { IbmWanted } from './wanted.ts'

/** The keys that may log in to the instance. */
export async function keysFor({ spec, scope }: IbmWanted, lookups: Looking, ctx: Ctx): Promise<Ids> {
  const field = 'spec.sshKeys of the IBMMachine'
  return idsOf(spec.sshKeys, field, () => lookups.keys(scope, ctx))
}
