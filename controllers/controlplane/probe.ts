import { rfc3339, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { core } from '../../api/labels.ts'
import type { ControlPlaneReason } from '../../api/reasons.ts'
import { sentence } from '../../api/sentence.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import { KubeconfigNotSupported } from '../runtime/client/kubeconfig.ts'
import type { AccessReviews } from '../workload/access.ts'
import { CredentialsRefused, type Workload, type WorkloadClients } from '../workload/clients.ts'
import { WorkloadBusy } from '../workload/turns.ts'
import { guide, KubeconfigMissing, secretNameOf, type ClusterRef } from '../workload/secret.ts'

export interface ProbeDeps {
  readonly workloads: WorkloadClients
  readonly access: AccessReviews
}

/** The result of a probe of a workload cluster's API server. */
export interface Finding {
  readonly verdict: Verdict<ControlPlaneReason>
  /** The server, if it answered as an API server does. */
  readonly server?: string
}

/**
 * Sends a probe with the kubeconfig of the Secret. Throws only errors of our own, such as WorkloadBusy. A failure of
 * the workload cluster is a finding.
 */
export async function probe(cluster: ClusterRef, { workloads, access }: ProbeDeps, ctx: Ctx): Promise<Finding> {
  try {
    return await workloads.with(
      cluster,
      async (client, own, workload) => {
        requireVersion(await client.raw('/version', own))
        const missing = await access.missing(client, own)
        return { server: workload.server, verdict: whatToSay(cluster, workload, missing) }
      },
      ctx,
    )
  } catch (thrown) {
    return { verdict: { status: 'False', ...whyNot(thrown, cluster, ctx) } }
  }
}

/** Many servers answer any path, but only an API server returns its version. The answer is not repeated. */
function requireVersion(text: string): void {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    said = undefined
  }
  const version = typeof said === 'object' && said !== null ? (said as { gitVersion?: unknown }).gitVersion : undefined
  if (typeof version === 'string') return
  throw new ApiError({
    status: 0,
    reason: 'Garbled',
    message: 'The answer does not come from a Kubernetes API server.',
  })
}

function whatToSay(
  { namespace, name }: ClusterRef,
  { secret, credentialsEndAt }: Workload,
  missing: readonly string[],
): Verdict<ControlPlaneReason> {
  if (!secret.isLabelled) {
    const command = `kubectl label secret -n ${namespace} ${secret.name} ${core.clusterName}=${name}`
    const message = `Secret ${secret.name} lacks the label ${core.clusterName}, so Cluster API does not see it. Set the label: ${command}.`
    return { status: 'False', reason: 'KubeconfigNotLabelled', message }
  }
  if (missing.length > 0) {
    const message = `The user of the kubeconfig in Secret ${secret.name} may not ${missing.join(', ')}. Grant these permissions in the workload cluster; ${guide} has a manifest.`
    return { status: 'False', reason: 'PermissionsMissing', message }
  }
  const until =
    credentialsEndAt === undefined
      ? ''
      : ` Its credentials expire at ${rfc3339(credentialsEndAt)}. Write new ones into Secret ${secret.name} before that.`
  return { status: 'True', reason: 'Available', message: `The API server of the workload cluster answers.${until}` }
}

function whyNot(thrown: unknown, cluster: ClusterRef, ctx: Ctx): { reason: ControlPlaneReason; message: string } {
  const secret = secretNameOf(cluster)
  if (thrown instanceof KubeconfigMissing) return { reason: 'KubeconfigMissing', message: thrown.message }
  if (thrown instanceof KubeconfigNotSupported) {
    return { reason: 'KubeconfigNotSupported', message: `Secret ${secret}: ${thrown.message}` }
  }
  if (!(thrown instanceof ApiError) || thrown instanceof WorkloadBusy) throw thrown
  if (thrown.status === 401) return { reason: 'CredentialsDenied', message: whyDenied(secret, thrown, ctx) }
  if (thrown.status === 403) {
    const message = `The API server knows the user of the kubeconfig in Secret ${secret} and gives it no permission. Grant the permissions in the workload cluster; ${guide} has a manifest.`
    return { reason: 'PermissionsMissing', message }
  }
  return { reason: 'Unreachable', message: whyUnreachable(secret, thrown, ctx) }
}

/**
 * The cause of a failed connection goes only to the log. Otherwise anybody who may write the Secret could scan the
 * manager's network. The message of an API server is repeated.
 */
function whyUnreachable(secret: string, thrown: ApiError, { log }: Ctx): string {
  const then = `Machines are still created and deleted, but their Nodes are neither labelled nor drained.`
  if (thrown.status !== 0 && thrown.reason !== 'NoStatus') {
    return `The API server of the workload cluster gave no usable answer: ${inShort(thrown.message)} The manager asks again. ${then}`
  }
  log.info('Workload cluster not reached', { Secret: secret, reason: inShort(thrown.message) })
  return `The manager reaches no API server with the kubeconfig in Secret ${secret}. It tries again. Check \`server\` and \`certificate-authority-data\` there. The log of the manager shows the error. ${then}`
}

function whyDenied(secret: string, thrown: ApiError, { clock }: Ctx): string {
  const end = thrown instanceof CredentialsRefused ? thrown.credentialsEndAt : undefined
  const why =
    end !== undefined && end <= clock.now()
      ? `The credentials of the kubeconfig in Secret ${secret} expired at ${rfc3339(end)}.`
      : `The API server rejects the credentials of the kubeconfig in Secret ${secret}. They are wrong, revoked or expired.`
  return `${why} Write new ones into the Secret; ${guide} shows how to create them.`
}

/** A server's message may be long. */
function inShort(said: string): string {
  const line = said.replaceAll(/\s+/g, ' ').trim()
  return sentence(line.length > 300 ? `${line.slice(0, 300)}…` : line)
}
