/** Where calls go: one account (by its identity) and region. One poller and one set of rate limits serve each. */
export interface Scope {
  readonly cloud: CloudName
  /** Which credentials: 'default' is the manager's own. */
  readonly identity: string
  /**
   * Azure's subscription, GCP's project, the account of EC2 and IBM: that of the instances, as it is pinned on the
   * infrastructure cluster. Credentials of another one are 'denied'. Left out while it is not known.
   */
  readonly account?: string
  readonly region: string
  /**
   * A part of the account in which names are looked for: Azure's resource group. Lists and rate limits span all parts.
   */
  readonly within?: string
}

/** The name of what one poller and one set of rate limits serve. */
export function scopeKey({ cloud, identity, account, region }: Scope): string {
  return [cloud, identity, ...(account === undefined ? [] : [account]), region].join('/')
}

export const cloudNames = ['aws', 'azure', 'gcp', 'ibm'] as const

export type CloudName = (typeof cloudNames)[number]
