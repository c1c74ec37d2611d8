import { CloudError } from '../errors.ts'
import { instanceName, markIn } from '../instance-name.ts'
import type { Launch, Mark } from '../instances.ts'
import type { VpcInstance } from './vpc.ts'

/** The name of the instance of this attempt, and of its network interface. */
export function nameFor(want: Launch): string {
  const name = instanceName(want)
  if (name === undefined) throw unfitOwner(want.owner)
  return name
}

/**
 * IBM has no tags in its lists, so names have to prove whose an instance is. That of the network interface says the same
 * as that of the instance, and only who made it could say it twice: a stranger's that has the name, a copy that has the
 * interface, and one that was given another name prove nothing.
 */
export function readMark({ name, primary_network_interface: primary }: VpcInstance): Mark | undefined {
  return primary?.name === name ? markIn(name) : undefined
}

export function unfitOwner(owner: string): CloudError {
  const message =
    `The owner id "${owner}" was written by hand, and no name of an instance can hold it. Remove the annotation ` +
    'spot.cluster.x-k8s.io/owner-id from the Cluster and from its IBMCluster; a new id is then made.'
  return new CloudError('invalid', { code: 'UnfitOwnerId', message })
}

export function notOurs(id: string, name: string): CloudError {
  const message =
    `Instance ${id} has the name ${name} but does not prove to be this machine's; it is left alone. ` +
    'Delete or rename it where it is yours.'
  return new CloudError('conflict', { code: 'NotOurs', message })
}
