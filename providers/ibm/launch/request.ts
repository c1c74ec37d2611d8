import type { Launch } from '../../instances.ts'
import { nameFor } from '../../shared/instance-name.ts'
import { encodeUserData } from './user-data.ts'
import type { VpcInstance, VpcInstancePrototype } from '../wire/documents.ts'

type Interface = VpcInstancePrototype['primary_network_interface']

/** The call as far as specs and lookups decide it. */
export interface LaunchAs extends Omit<VpcInstancePrototype, 'name' | 'user_data' | 'primary_network_interface'> {
  readonly primary_network_interface: Omit<Interface, 'name'>
}

/** What one machine asks of IBM Cloud; the name, which says whose it is, and the user data are not in it. */
export interface IbmRequest extends Record<string, unknown> {
  readonly launch: LaunchAs
}

/** The call itself. Throws `CloudError` of kind 'invalid' for what IBM Cloud would not take. */
export function instancePrototype(want: Launch): VpcInstancePrototype {
  const { launch } = want.request as IbmRequest
  const name = nameFor(want)
  return {
    ...launch,
    name,
    // The old kind of interface is the instance's own and ends with it, whatever becomes of the call that makes both.
    primary_network_interface: { name, ...launch.primary_network_interface },
    user_data: encodeUserData(want.userData),
  }
}

/** Whether an instance can be what this request asked for: it is where and what it was to be. */
export function isAskedFor(want: Launch, { profile, vpc, resource_group: group }: VpcInstance): boolean {
  const { launch } = want.request as IbmRequest
  const isThere = (wanted: { id: string } | undefined, has: { id: string } | undefined) =>
    wanted === undefined || wanted.id === has?.id
  return profile.name === launch.profile.name && isThere(launch.vpc, vpc) && isThere(launch.resource_group, group)
}
