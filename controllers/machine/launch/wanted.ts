import type { Attempt } from '../../../api/attempt.ts'
import { chosenOf, siteOf } from '../../../api/rules/capacity/chosen.ts'
import type { Wanted } from '../../../providers/cloud.ts'
import { hasFallback } from '../../capacity/fallback.ts'
import type { Pass } from '../pass.ts'

/** The input of a plan. Undefined while the Machine or the infrastructure cluster is missing. */
export function wantedBy(pass: Pass): Wanted | undefined {
  const { infra, infraCluster, machine, attempt } = pass
  if (!infraCluster || !machine) return undefined
  const { failureDomain, version } = machine.spec
  return {
    machine: infra,
    cluster: infraCluster,
    ...(failureDomain ? { failureDomain } : {}),
    ...(version ? { version } : {}),
    ...(attempt ? askedBefore(pass, attempt) : {}),
  }
}

/**
 * With `fallback` the attempt names the offering too, because the spec names more than one. An older version of our
 * kinds may have dropped `fallback` from the spec meanwhile.
 */
function askedBefore({ infra }: Pass, attempt: Attempt): Pick<Wanted, 'choice' | 'at' | 'exclude'> {
  const frozen = chosenOf(attempt)
  const choice = hasFallback(infra) || (frozen?.rung ?? 0) > 0 ? frozen : undefined
  const at = siteOf(attempt)
  const { exclude } = attempt
  return { ...(choice ? { choice } : at ? { at } : {}), ...(exclude ? { exclude } : {}) }
}
