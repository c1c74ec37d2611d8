import type { RefusalKind } from '../../../api/refusal.ts'

/**
 * Codes of `status_reasons` and `lifecycle_reasons` of an instance that IBM accepted and could not start. Longer codes
 * come first: a new code counts as the first code that it begins with.
 */
export const startFailures: Readonly<Record<string, RefusalKind>> = {
  cannot_start_reservation_capacity: 'reservation',
  cannot_start_reservation_expired: 'reservation',
  cannot_start_placement_group: 'capacity',
  cannot_start_capacity: 'capacity',
  cannot_start_ip_address: 'subnet',
  cannot_start_network: 'transient',
  cannot_start_storage: 'transient',
  cannot_start_compute: 'transient',
  cannot_start: 'transient',
  encryption_key_deleted: 'invalid',
}

/** IBM took it back. Depending on the document, the code is in one list or in the other. */
const preemption = 'stopped_by_preemption'

export function isPreemption(code: string): boolean {
  return code.startsWith(preemption)
}

export function startFailure(code: string): RefusalKind | undefined {
  const known = Object.keys(startFailures).find((start) => code.startsWith(start))
  return known === undefined ? undefined : startFailures[known]
}
