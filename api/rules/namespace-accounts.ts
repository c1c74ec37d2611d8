import type { Scope } from '../scope.ts'

/**
 * The accounts that a namespace may use: `cloud/account`, or `cloud/*`. `*` stands for all namespaces that are not
 * named.
 */
export type NamespaceAccounts = ReadonlyMap<string, readonly string[]>

type Place = Pick<Scope, 'cloud' | 'account'>

/**
 * Why this namespace may not use this account; undefined if it may, or if there is no file. An unknown account may be
 * any account, so it is allowed only if every account of its cloud is.
 */
export function accountObstacle(
  namespace: string,
  { cloud, account }: Place,
  accounts: NamespaceAccounts | undefined,
): string | undefined {
  if (!accounts) return undefined
  const allowed = accounts.get(namespace) ?? accounts.get('*') ?? []
  if (allowed.includes(`${cloud}/*`)) return undefined
  if (account !== undefined && allowed.includes(`${cloud}/${account}`)) return undefined
  const which = account === undefined ? `${cloud} with an unknown account` : `${cloud}/${account}`
  const may = allowed.length === 0 ? 'no account' : allowed.join(', ')
  return `Namespace ${namespace} may use ${may}, not ${which}. Use an allowed account, or change --namespace-accounts of the manager.`
}
