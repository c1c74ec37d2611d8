import { accountObstacle, type NamespaceAccounts } from '../../api/rules/namespace-accounts.ts'
import type { Scope } from '../../api/scope.ts'

/** Whether a namespace may use an account. A controller checks it before any list, look-up or launch there. */
export interface AccountUse {
  /** The obstacle, as sentences for a condition. Undefined: the namespace may use the account. */
  readonly notAllowed: (namespace: string, scope: Scope) => string | undefined
}

export function accountUse(accounts: NamespaceAccounts | undefined): AccountUse {
  return { notAllowed: (namespace, scope) => accountObstacle(namespace, scope, accounts) }
}
