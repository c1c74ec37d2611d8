/** Where calls go: one account (by its identity) and region. Each has one poller and one set of rate limits. */
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

/** The key of a poller and its rate limits. */
export function scopeKey({ cloud, identity, account, region }: Scope): string {
  return [cloud, identity, ...(account === undefined ? [] : [account]), region].join('/')
}

export const cloudNames = ['aws', 'azure', 'gcp', 'ibm'] as const

export type CloudName = (typeof cloudNames)[number]
