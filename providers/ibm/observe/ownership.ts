import { tagIn } from '../../shared/instance-name.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import type { VpcInstance } from '../wire/documents.ts'

/**
 * IBM's lists have no tags, so names have to prove the owner. The network interface has the same name as its instance,
 * and only the creator of the instance could set both. An instance of a stranger with our name, a copy with our
 * interface name, and an instance that was renamed prove nothing.
 */
export function readTag({ name, primary_network_interface: primary }: VpcInstance): OwnershipTag | undefined {
  return primary?.name === name ? tagIn(name) : undefined
}
