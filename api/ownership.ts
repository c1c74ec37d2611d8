import type { Instance } from './instance.ts'

/** Whose an instance is. */
export interface Ownership {
  /** The random id of the Cluster (annotation owner-id): survives a move, proves what names cannot. */
  readonly owner: string
  /** `namespace/name` of the infra machine. */
  readonly machine: string
  /** Which attempt made it: the token that the create call carried. */
  readonly token: string
}

declare const digestOfMachine: unique symbol

/** What stands for `namespace/name` where a cloud has no room for it (`machineMark`). The name itself is none. */
export type MachineDigest = string & { readonly [digestOfMachine]: true }

/**
 * An ownership as every cloud can show it (`markOf`): written there at creation, never changed. Not every cloud has
 * room for the name of a machine, so a digest stands for it; the owner and the token stand for themselves.
 */
export interface OwnershipTag {
  readonly owner: string
  readonly machine: MachineDigest
  /** `namespace/name` in full, where the cloud stores it: then the digest alone proves nothing. */
  readonly machineName?: string
  readonly token: string
}

/** Only what carries our owner id, our machine and our attempt may be adopted or ended. */
export function isOwnedBy({ tag }: Pick<Instance, 'tag'>, ours: OwnershipTag): boolean {
  return tag !== undefined && isSameTag(tag, ours)
}

/** Whether two tags are of one attempt. Digests may be alike by chance or by design; whole names may not. */
export function isSameTag(one: OwnershipTag, other: OwnershipTag): boolean {
  const isSame = one.owner === other.owner && one.machine === other.machine && one.token === other.token
  const [name, otherName] = [one.machineName, other.machineName]
  return isSame && (name === undefined || otherName === undefined || name === otherName)
}
