import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import { invalid } from '../../shared/invalid.ts'
import type { TypeFacts } from './facts.ts'
import type { Looking } from './lookups.ts'

export async function instanceTypeFor(name: string, scope: Scope, lookups: Looking, ctx: Ctx): Promise<TypeFacts> {
  const found = await lookups.instanceType(name, scope, ctx)
  if (found) return found
  throw invalid(`spec.vmSize of the AzureMachine: Azure has no size ${name} in ${scope.region}; use another.`)
}
