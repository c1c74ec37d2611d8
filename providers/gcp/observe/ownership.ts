import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { tagIn } from '../../shared/instance-name.ts'
import type { Launch } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { tagOf } from '../../shared/ownership.ts'
import type { GceInstance } from '../wire/documents.ts'

const prefix = 'capspot-'

/** The labels that prove, with the name, the owner of an instance. The call that creates it sets them. */
export const ownerLabel = `${prefix}owner-id`
const machineLabel = `${prefix}machine`
const tokenLabel = `${prefix}attempt`
/** For people who look for the instances of a cluster. */
const clusterLabel = `${prefix}cluster`

/** Prefixes of the labels by which controllers know their own resources: ours, Cluster API Provider GCP's, Google's. */
const reserved = [prefix, 'capg-', 'goog-']

/** Labels that a user cannot set. */
export function isReserved(key: string): boolean {
  return reserved.some((start) => key.startsWith(start))
}

/** Ours come last and win. */
export function ownershipLabels(want: Launch, additional: Readonly<Record<string, string>>): Record<string, string> {
  const { owner, machine, token } = tagOf(want)
  return {
    ...Object.fromEntries(Object.entries(additional).filter(([key]) => !isReserved(key))),
    [clusterLabel]: labelValue(want.clusterName),
    [ownerLabel]: owner,
    [machineLabel]: machine,
    [tokenLabel]: token,
  }
}

/** Labels can be changed and names can be chosen by others: only both together are a proof. */
export function readTag({ labels = {}, name }: GceInstance): OwnershipTag | undefined {
  const [owner, machine, token] = [labels[ownerLabel], labels[machineLabel], labels[tokenLabel]]
  const tag = tagIn(name)
  return tag && isDeepStrictEqual(tag, { owner, machine, token }) ? tag : undefined
}

/** The namespace of DNS names in RFC 4122, appendix C. */
const dnsNamespace = '6ba7b8109dad11d180b400c04fd430c8'

/** The requestId by which GCE takes two calls for one: the same for every call of an attempt, by any process. */
export function requestIdOf(token: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(dnsNamespace, 'hex'))
    .update(`${token}.attempt.spot.cluster.x-k8s.io`)
    .digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function labelValue(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_')
    .slice(0, 63)
}
