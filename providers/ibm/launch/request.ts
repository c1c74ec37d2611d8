import type { Launch } from '../../instances.ts'
import { nameFor } from '../../shared/instance-name.ts'
import { encodeUserData } from './user-data.ts'
import type { VpcInstance, VpcInstancePrototype } from '../wire/documents.ts'

type Interface = VpcInstancePrototype['primary_network_interface']

/** The part of the call that specs and lookups decide. */
export interface LaunchAs extends Omit<VpcInstancePrototype, 'name' | 'user_data' | 'primary_network_interface'> {
  readonly primary_network_interface: Omit<Interface, 'name'>
}

/** The request of one machine, without the name, which tells the owner, and the user data. */
export interface IbmRequest extends Record<string, unknown> {
  readonly launch: LaunchAs
}

/** The call itself. Throws 'invalid' for user data that IBM Cloud would not take. */
export function instancePrototype(want: Launch): VpcInstancePrototype {
  const { launch } = want.request as IbmRequest
  const name = nameFor(want)
  return {
    ...launch,
    name,
    // An interface of the old kind belongs to its instance and ends with it, even if the call that makes both fails.
    primary_network_interface: { name, ...launch.primary_network_interface },
    user_data: encodeUserData(want.userData),
  }
}

/** Whether this request can have made the instance: VPC, group and profile are the same. */
export function isAskedFor(want: Launch, { profile, vpc, resource_group: group }: VpcInstance): boolean {
  const { launch } = want.request as IbmRequest
  const isThere = (wanted: { id: string } | undefined, has: { id: string } | undefined) =>
    wanted === undefined || wanted.id === has?.id
  return profile.name === launch.profile.name && isThere(launch.vpc, vpc) && isThere(launch.resource_group, group)
}
