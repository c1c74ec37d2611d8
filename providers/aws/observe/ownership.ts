import type { Instance, Tag } from '@aws-sdk/client-ec2'
import type { Launch } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { tagOf } from '../../shared/ownership.ts'

const prefix = 'spot.cluster.x-k8s.io'

/** The ownership tags of an instance. They are set by the call that creates it, and never later. */
export const ownerTag = `${prefix}/owner-id`
const machineTag = `${prefix}/machine`
const tokenTag = `${prefix}/attempt`

/**
 * Prefixes of the tags by which controllers know their own instances: ours, Cluster API Provider AWS's, and those of
 * the cloud provider in the cluster.
 */
const reserved = [`${prefix}/`, 'kubernetes.io/cluster/', 'sigs.k8s.io/cluster-api-provider-aws/']

/** Tags that a user cannot set: tags of controllers, and tags that EC2 reserves. */
export function isReserved(key: string): boolean {
  return reserved.some((start) => key.startsWith(start)) || /^aws:/i.test(key)
}

/** Our tags come last and win: a user's `Name` must not hide them. */
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
 * Tags get copied, for example by "launch more like this". The client token does not: EC2 itself records the token of
 * the call that made the instance.
 */
export function readTag({ Tags, ClientToken }: Pick<Instance, 'Tags' | 'ClientToken'>): OwnershipTag | undefined {
  const value = (key: string) => Tags?.find((tag) => tag.Key === key)?.Value
  const [owner, machine, token] = [value(ownerTag), value(machineTag), value(tokenTag)]
  return owner && machine && token && token === ClientToken ? tagOf({ owner, machine, token }) : undefined
}
