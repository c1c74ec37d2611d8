import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import { invalid } from '../../shared/invalid.ts'
import type { TypeFacts } from './facts.ts'
import type { Looking } from './lookups.ts'

export async function instanceTypeFor(name: string, scope: Scope, lookups: Looking, ctx: Ctx): Promise<TypeFacts> {
  const found = await lookups.machineType(name, scope, ctx)
  if (found) return found
  throw invalid(`spec.instanceType of the GCPMachine: GCE has no type ${name} in ${scope.region}; use another.`)
}
