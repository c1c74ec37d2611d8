import { walkOf } from '../../api/rules/capacity/walk.ts'
import { toldBy, type Told } from '../../api/rules/capacity/tried.ts'
import { clouds } from '../../providers/registry.ts'
import { askedOf } from './group-names.ts'
import type { Subject } from './subjects.ts'

/** What the attempt of a machine tells of its refusals. Its last one too, which stands beside those before. */
export function toldByAttempt({ attempt, infra, terms }: Subject, now: number): readonly Told[] {
  if (!attempt) return []
  const { scope } = attempt
  const { reachOf } = clouds[scope.cloud].closing
  return toldBy(walkOf(attempt), { asked: (offering) => askedOf({ scope, offering, infra }), reachOf, terms, now })
}
