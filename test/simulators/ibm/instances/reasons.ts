import type { Reason } from './instance.ts'

/** IBM's sentences for the codes of `status_reasons`. */
const sentences: Readonly<Record<string, string>> = {
  cannot_start: "Can't start instance.",
  cannot_start_capacity: "Can't start instance because resource capacity is unavailable.",
  cannot_start_compute: "Can't start instance because compute resources are unavailable.",
  cannot_start_ip_address: "Can't start instance because no IP address is available.",
  cannot_start_network: "Can't start instance because network resources are unavailable.",
  cannot_start_placement_group: "Can't start instance because placement group restrictions cannot be satisfied.",
  cannot_start_reservation_capacity: "Can't start instance because reservation capacity is unavailable.",
  cannot_start_reservation_expired: "Can't start instance because the reservation has expired.",
  cannot_start_storage: "Can't start instance because storage resources are unavailable.",
  encryption_key_deleted: 'The instance cannot be used because the root key of its volume was deleted.',
  stopped_by_host_failure: 'The virtual server instance was stopped due to a host failure.',
  stopped_by_preemption: 'The virtual server instance was stopped due to preemption.',
  stopped_for_image_creation: 'The virtual server instance was stopped for the creation of an image.',
}

export const reasonCodes = Object.keys(sentences)

export function reason(code: string): Reason {
  return { code, message: sentences[code] ?? `The virtual server instance: ${code.replaceAll('_', ' ')}.` }
}
