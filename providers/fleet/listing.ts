import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import type { InstancePage, InstanceReads } from '../instances.ts'
import { refuseOtherAccount } from '../shared/account.ts'

/** One list that counts, of all zones or of all but those that it names. */
export interface Listing {
  readonly items: readonly Instance[]
  /** On the monotonic clock. */
  readonly begunAt: number
  readonly unreachableZones: ReadonlySet<string>
  /** The account of the list; undefined if it is not known. */
  readonly account: string | undefined
}

/**
 * All pages of one list. Throws `PartialList` if the list is not complete and does not name the zones that it lacks.
 */
export async function listAll(instances: InstanceReads, scope: Scope, ctx: Ctx): Promise<Listing> {
  const begunAt = ctx.clock.monotonic()
  const items: Instance[] = []
  let last: InstancePage | undefined
  for await (const page of instances.list(scope, ctx)) {
    // The credentials may change between a page and the question whose it is.
    refuseOtherAccount(scope.account, page.account)
    items.push(...page.items)
    last = page
  }
  const unreachableZones = new Set(last?.complete ? [] : last?.unreachableZones)
  if (!last?.complete && unreachableZones.size === 0) throw partialList(unreachableZones)
  return { items, begunAt, unreachableZones, account: last?.account }
}

export function partialList(unreachableZones: ReadonlySet<string>): CloudError {
  const what =
    unreachableZones.size === 0 ? 'The list was not complete' : `The list lacks ${[...unreachableZones].join(', ')}`
  return new CloudError('transient', {
    code: 'PartialList',
    message: `${what}, so it does not prove that an instance is gone.`,
  })
}
