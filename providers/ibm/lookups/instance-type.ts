import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import type { ProfileFacts } from './facts.ts'
import type { Looking } from './lookups.ts'

export async function instanceTypeFor(name: string, scope: Scope, lookups: Looking, ctx: Ctx): Promise<ProfileFacts> {
  const field = 'spec.profile of the IBMMachine'
  const found = await inField(field, lookups.profile(name, scope, ctx))
  if (found) return found
  throw invalid(`${field}: IBM Cloud has no profile ${name} in ${scope.region}; use another.`)
}
