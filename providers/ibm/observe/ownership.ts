import { markIn } from '../../shared/instance-name.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import type { VpcInstance } from '../wire/documents.ts'

/**
 * IBM has no tags in its lists, so names have to prove whose an instance is. That of the network interface says the
 * same as that of the instance, and only who made it could say it twice: a stranger's that has the name, a copy that
 * has the interface, and one that was given another name prove nothing.
 */
export function readMark({ name, primary_network_interface: primary }: VpcInstance): OwnershipTag | undefined {
  return primary?.name === name ? markIn(name) : undefined
}
