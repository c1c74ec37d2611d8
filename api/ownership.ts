import type { Instance } from './instance.ts'

/** The owner, the machine and the attempt of an instance. */
export interface Ownership {
  /** The owner id of the Cluster. It survives a move. */
  readonly owner: string
  /** `namespace/name` of the infra machine. */
  readonly machine: string
  /** The token of the attempt that created it. */
  readonly token: string
}

declare const digestOfMachine: unique symbol

/** The digest of `namespace/name`, for clouds without room for the name. */
export type MachineDigest = string & { readonly [digestOfMachine]: true }

/**
 * An ownership as every cloud can show it, written at creation and never changed. Not every cloud has room for the name
 * of a machine, so it has the digest.
 */
export interface OwnershipTag {
  readonly owner: string
  readonly machine: MachineDigest
  /** The full `namespace/name`, if the cloud stores it. Then the digest alone proves nothing. */
  readonly machineName?: string
  readonly token: string
}

/** Whether the instance carries our owner id, our machine and our attempt. Only then it may be adopted or ended. */
export function isOwnedBy({ tag }: Pick<Instance, 'tag'>, ours: OwnershipTag): boolean {
  return tag !== undefined && isSameTag(tag, ours)
}

/** Whether two tags belong to one attempt. Digests may be equal by chance or by design; full names may not. */
export function isSameTag(one: OwnershipTag, other: OwnershipTag): boolean {
  const isSame = one.owner === other.owner && one.machine === other.machine && one.token === other.token
  const [name, otherName] = [one.machineName, other.machineName]
  return isSame && (name === undefined || otherName === undefined || name === otherName)
}
