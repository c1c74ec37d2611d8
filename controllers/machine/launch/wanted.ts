import { siteOf } from '../../../api/rules/capacity/chosen.ts'
import type { Wanted } from '../../../providers/cloud.ts'
import type { Pass } from '../pass.ts'

/** The input of a plan. Undefined while the Machine or the infrastructure cluster is missing. */
export function wantedBy({ infra, infraCluster, machine, attempt }: Pass): Wanted | undefined {
  if (!infraCluster || !machine) return undefined
  const at = attempt && siteOf(attempt)
  const { failureDomain, version } = machine.spec
  return {
    machine: infra,
    cluster: infraCluster,
    ...(failureDomain ? { failureDomain } : {}),
    ...(version ? { version } : {}),
    ...(at ? { at } : {}),
    ...(attempt?.exclude ? { exclude: attempt.exclude } : {}),
  }
}
