import type { Interruption } from '../../../api/interruption.ts'
import { isWithdrawn } from '../../../api/rules/interruption/withdrawn.ts'
import { scopeKey, type Scope } from '../../../api/scope.ts'
import type { ShownList } from '../../../providers/notices.ts'

/** The last two lists of each source that shows notices. Each has at most the instances of ours that are up. */
export class ShownLists {
  /** By source and scope; the newest first. */
  readonly #lists = new Map<string, readonly ShownList[]>()

  add(list: ShownList): void {
    const key = `${list.source} ${scopeKey(list.scope)}`
    this.#lists.set(key, [list, ...(this.#lists.get(key) ?? []).slice(0, 1)])
  }

  /** Nobody lists there any more. */
  forget(scope: Scope): void {
    for (const [key, [last]] of this.#lists) {
      if (last && scopeKey(last.scope) === scopeKey(scope)) this.#lists.delete(key)
    }
  }

  /** Whether a source has taken back the notice of this decision. `scope`: of its instance. */
  isWithdrawn(decided: Interruption, scope: Scope): boolean {
    for (const lists of this.#lists.values()) {
      if (lists[0] && isSamePlace(lists[0].scope, scope) && isWithdrawn(decided, lists)) return true
    }
    return false
  }
}

/** The account may be learnt after the launch. A list of another account does not have the instance as up. */
function isSamePlace(listed: Scope, { cloud, identity, region, account }: Scope): boolean {
  const isOfAccount = account === undefined || listed.account === undefined || listed.account === account
  return listed.cloud === cloud && listed.identity === identity && listed.region === region && isOfAccount
}
