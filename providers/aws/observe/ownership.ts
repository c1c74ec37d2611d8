import type { Instance, Tag } from '@aws-sdk/client-ec2'
import type { Launch } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { tagOf } from '../../shared/ownership.ts'

const prefix = 'spot.cluster.x-k8s.io'

/** The tags that say whose an instance is. They are set by the call that creates it and never after. */
export const ownerTag = `${prefix}/owner-id`
const machineTag = `${prefix}/machine`
const tokenTag = `${prefix}/attempt`

/**
 * By tags that begin so controllers know what is theirs: ours, the cloud's own in the cluster, Cluster API's for AWS.
 */
const reserved = [`${prefix}/`, 'kubernetes.io/cluster/', 'sigs.k8s.io/cluster-api-provider-aws/']

/** Tags that a user cannot set: those of controllers, and those that EC2 keeps for itself. */
export function isReserved(key: string): boolean {
  return reserved.some((start) => key.startsWith(start)) || /^aws:/i.test(key)
}

/** Ours come last and win: a user's `Name` must not hide a machine from its own tags. */
export function ownershipTags(want: Launch, additional: Readonly<Record<string, string>>): Tag[] {
  const tags: Record<string, string> = {
    Name: want.machine.slice(want.machine.indexOf('/') + 1),
    ...Object.fromEntries(Object.entries(additional).filter(([key]) => !isReserved(key))),
    [`kubernetes.io/cluster/${want.clusterName}`]: 'owned',
    [ownerTag]: want.owner,
    [machineTag]: want.machine,
    [tokenTag]: want.token,
  }
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}

/**
 * Tags are copied: by a launch template that was made from an instance, by "launch more like this". The client token
 * is EC2's own record of the call that made the instance, and nobody can give it to another.
 */
export function readMark({ Tags, ClientToken }: Pick<Instance, 'Tags' | 'ClientToken'>): OwnershipTag | undefined {
  const value = (key: string) => Tags?.find((tag) => tag.Key === key)?.Value
  const [owner, machine, token] = [value(ownerTag), value(machineTag), value(tokenTag)]
  return owner && machine && token && token === ClientToken ? tagOf({ owner, machine, token }) : undefined
}
