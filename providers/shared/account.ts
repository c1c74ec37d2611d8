import type { AttemptPatterns } from '../../api/attempt.ts'
import { annotations, requests } from '../../api/labels.ts'
import type { InfraCluster } from '../../api/machine.ts'
import type { CloudName, Scope } from '../../api/scope.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { InstanceRef } from '../instances.ts'

const otherAccountCode = 'OtherAccount'

/** The scope of a cloud without parts of an account: the region of the spec, in the account that is pinned. */
export function scopeOfRegion(
  cloud: CloudName,
  cluster: InfraCluster<{ readonly region: string }>,
  patterns: AttemptPatterns,
): Scope {
  const account = pinnedAccount(cluster, patterns)
  return { cloud, identity: 'default', ...(account === undefined ? {} : { account }), region: cluster.spec.region }
}

/** The account that is pinned on the infrastructure cluster. A text that is no account pins nothing. */
export function pinnedAccount(
  { metadata }: Pick<InfraCluster, 'metadata'>,
  { account: pattern }: AttemptPatterns,
): string | undefined {
  const account = metadata.annotations?.[annotations.account]
  return account !== undefined && pattern?.test(account) ? account : undefined
}

/**
 * Refuses to look or to act with credentials of another account: its lists show nothing of ours, as if all of it had
 * gone. Where one of the two is not known nothing is refused, and nothing is proven either.
 */
export function refuseOtherAccount(pinned: string | undefined, credentials: string | undefined): void {
  if (pinned === undefined || credentials === undefined || pinned === credentials) return
  throw otherAccount(pinned, credentials)
}

export function otherAccount(pinned: string, credentials: string): CloudError {
  return new CloudError('denied', {
    code: otherAccountCode,
    message:
      `The credentials belong to account ${credentials}, but the instances of this cluster are in account ${pinned}, by ` +
      `annotation ${annotations.account} of its infrastructure cluster.`,
  })
}

export function isOtherAccount({ code }: Pick<CloudError, 'code'>): boolean {
  return code === otherAccountCode
}

const absenceCode = 'AbsenceUnproven'

/** The instance is not shown, but may exist. */
export function absenceUnproven(why: string): CloudError {
  return new CloudError('transient', { code: absenceCode, message: why })
}

export function isAbsenceUnproven({ code }: Pick<CloudError, 'code'>): boolean {
  return code === absenceCode
}

/** Neither the instance nor its subnet is shown, so nothing proves that the instance is gone. */
export function subnetUnseen({ id, subnet, scope }: Pick<InstanceRef, 'id' | 'subnet' | 'scope'>): CloudError {
  const what = id === undefined ? 'The instance' : `Instance ${id}`
  const lacking =
    subnet === undefined
      ? 'the account of the credentials is not known'
      : `its subnet ${subnet} is not visible either; check the credentials and the endpoint`
  return absenceUnproven(
    `${what} is not visible in ${scope.region}, and ${lacking}. It does not count as gone. If it is gone, set annotation ` +
      `${requests.confirmGone} on its machine.`,
  )
}
