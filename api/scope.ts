/** Where calls go: one account (by its identity) and region. */
export interface Scope {
  readonly cloud: CloudName
  /** The credentials: 'default' is the manager's own. */
  readonly identity: string
  /**
   * The account of the instances, as pinned on the infrastructure cluster: Azure's subscription, GCP's project, the
   * account of EC2 and IBM. Credentials of another account are 'denied'. Left out while it is not known.
   */
  readonly account?: string
  readonly region: string
  /**
   * The part of the account in which names are unique: Azure's resource group. Lists and rate limits cover all parts.
   */
  readonly within?: string
}

/** The key of a scope, whatever part of the account `within` names. */
export function scopeKey({ cloud, identity, account, region }: Scope): string {
  return [cloud, identity, ...(account === undefined ? [] : [account]), region].join('/')
}

/**
 * Each cloud with the part of a call that names the account. If the address does not name it, the credentials do, and
 * one list serves all pinned accounts.
 */
const accountIsIn = {
  aws: 'credentials',
  azure: 'address',
  gcp: 'address',
  ibm: 'credentials',
} as const satisfies Readonly<Record<string, 'address' | 'credentials'>>

export type CloudName = keyof typeof accountIsIn

export const cloudNames = Object.keys(accountIsIn) as readonly CloudName[]

/** The place that one poller lists. Scopes with the same list have the same place. */
export function polledScope({ account, ...scope }: Scope): Scope {
  return account !== undefined && accountIsIn[scope.cloud] === 'address' ? { ...scope, account } : scope
}

/** The key of one poller and one set of rate limits. It stays the same when the account is learnt. */
export function pollKey(scope: Scope): string {
  return scopeKey(polledScope(scope))
}
