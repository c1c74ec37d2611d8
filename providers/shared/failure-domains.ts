import type { FailureDomain } from '../../api/machine.ts'

/** The failure domains of an infrastructure cluster, of the zones that its spec names. None is for a control plane. */
export function failureDomainsIn(zones: Iterable<string>): FailureDomain[] {
  return [...new Set(zones)].toSorted().map((name) => ({ name, controlPlane: false }))
}
