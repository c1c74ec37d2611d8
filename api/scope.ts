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
 * Where a call says which account it is for. Where the address does not, that is the account of the credentials, and
 * there is one list for all accounts that are pinned.
 */
const accountIsIn: Readonly<Record<CloudName, 'address' | 'credentials'>> = {
  aws: 'credentials',
  azure: 'address',
  gcp: 'address',
  ibm: 'credentials',
}

/** The place that one poller lists. Scopes with the same list have the same place. */
export function polledScope({ account, ...scope }: Scope): Scope {
  return account !== undefined && accountIsIn[scope.cloud] === 'address' ? { ...scope, account } : scope
}

/** The name of what has one poller and one set of rate limits, from before its account is learnt. */
export function pollKey(scope: Scope): string {
  return scopeKey(polledScope(scope))
}

export const cloudNames = ['aws', 'azure', 'gcp', 'ibm'] as const

export type CloudName = (typeof cloudNames)[number]
