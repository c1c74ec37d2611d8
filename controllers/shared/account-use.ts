import { accountObstacle, type NamespaceAccounts } from '../../api/rules/namespace-accounts.ts'
import type { Scope } from '../../api/scope.ts'

/** What a controller asks before it uses an account for a namespace: no list, no look-up and no launch before that. */
export interface AccountUse {
  /** Why it may not, as sentences for a condition; undefined where it may. */
  readonly notAllowed: (namespace: string, scope: Scope) => string | undefined
}

export function accountUse(accounts: NamespaceAccounts | undefined): AccountUse {
  return { notAllowed: (namespace, scope) => accountObstacle(namespace, scope, accounts) }
}
