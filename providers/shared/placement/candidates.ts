import type { Site } from '../../../api/attempt.ts'
import { CloudError } from '../../../api/cloud-error.ts'

/** Where a machine may go, the best first. */
export type Candidates<S> = [S, ...S[]]

interface Choice<S> {
  /** The subnet in which this attempt has asked before. Throws 'invalid' if there is no such subnet. */
  readonly again: (at: Site) => S | Promise<S>
  /** All subnets that the specs allow, full ones too. Throws 'invalid' where they allow none. */
  readonly allowed: () => readonly S[] | Promise<readonly S[]>
  /** As an attempt names it. */
  readonly nameOf: (subnet: S) => string
  /** The best first. Left out: in the order of `allowed`. */
  readonly inOrder?: (subnets: readonly S[]) => readonly S[] | Promise<readonly S[]>
  /** The cloud's own code for a subnet without a free address, and the words for where the allowed ones stand. */
  readonly full: { readonly code: string; readonly where: string }
}

/**
 * The subnets in which an attempt may ask. An attempt that has asked before uses the same subnet first, even if the
 * specs have changed: in another subnet the cloud could take the call for a new request and make a second instance.
 * Full subnets are left out. Throws 'subnet' when no subnet is left.
 */
export async function candidatesFrom<S>(
  { at, exclude }: { readonly at: Site | undefined; readonly exclude: readonly string[] },
  choice: Choice<S>,
): Promise<Candidates<S>> {
  if (!at) return choose(exclude, choice)
  const again = await choice.again(at)
  return [again, ...(await choose([...exclude, at.subnet], choice).catch(noneLeft))]
}

async function choose<S>(
  exclude: readonly string[],
  { allowed, nameOf, inOrder, full }: Choice<S>,
): Promise<Candidates<S>> {
  const all = await allowed()
  const left = all.filter((subnet) => !exclude.includes(nameOf(subnet)))
  const [first, ...others] = left.length > 0 && inOrder ? await inOrder(left) : left
  if (first !== undefined) return [first, ...others]
  const message = `None of the ${all.length} matching subnets${full.where} has a free address.`
  throw new CloudError('subnet', { code: full.code, message })
}

/** For an attempt that has its subnet, "none is left" and "none fits" only mean that there is no other. */
export function noneLeft(thrown: unknown): [] {
  if (thrown instanceof CloudError && (thrown.kind === 'subnet' || thrown.kind === 'invalid')) return []
  throw thrown
}
