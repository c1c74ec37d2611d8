import type { Ctx } from '../../api/ctx.ts'
import { coreGroup, machineHealthChecks, spotGroup } from '../../api/kinds.ts'
import { core, machineLabels } from '../../api/labels.ts'
import type { Cluster, MachineHealthCheck } from '../../api/machine.ts'
import type { EventReason } from '../../api/reasons.ts'
import { isAlreadyExists, isNotFound } from '../runtime/client/api-error.ts'
import type { Result } from '../runtime/controller/result.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { RemediationDeps } from './deps.ts'
import { mendingOf, ownFields } from './health-check-fields.ts'

/** The name of our MachineHealthCheck for a Cluster. */
export function healthCheckName(cluster: string): string {
  return `${cluster}-spot-remediation`
}

export function isOurs({ metadata }: MachineHealthCheck): boolean {
  return metadata.labels?.[machineLabels.managed] !== undefined
}

/** Whether the Cluster uses our provider, and is not being deleted. */
export function hasSpotMachines(cluster: Cluster): boolean {
  return cluster.spec.infrastructureRef?.apiGroup === spotGroup && cluster.metadata.deletionTimestamp === undefined
}

export interface KeptFor {
  readonly namespace: string
  readonly name: string
  /** Undefined: no health check is wanted. */
  readonly cluster: Cluster | undefined
}

/**
 * Creates the health check, corrects our own fields in it, and deletes it when it is not wanted. An object with its
 * name and without our label belongs to somebody else.
 */
export async function keepHealthCheck(
  { namespace, name, cluster }: KeptFor,
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<Result> {
  const found = deps.healthChecks.get(`${namespace}/${healthCheckName(name)}`)
  if (found && !isOurs(found)) {
    if (cluster) recordEvent('HealthCheckNotOurs', { cluster, message: notOursMessage(found) }, deps, ctx)
    return 'done'
  }
  if (!cluster) {
    deps.mendings.forget(`${namespace}/${name}`)
    if (found) await remove(found, deps, ctx)
    return 'done'
  }
  if (found) return mend(found, cluster, deps, ctx)
  await deps.client.create(machineHealthChecks, healthCheckFor(cluster, deps.watchFilter), ctx).catch(unlessExists)
  return 'done'
}

/** Patches in place and never creates it again, so that a field filled in by core or a policy starts no loop. */
async function mend(found: MachineHealthCheck, cluster: Cluster, deps: RemediationDeps, ctx: Ctx): Promise<Result> {
  const { namespace, name, uid, deletionTimestamp } = found.metadata
  const key = keyOf(cluster)
  const now = ctx.clock.monotonic()
  const spec = deletionTimestamp === undefined ? mendingOf(found) : undefined
  if (!spec) {
    deps.mendings.settle(key, now)
    return 'done'
  }
  const rest = deps.mendings.rest(key, now)
  if (rest > 0) return { requeueAfterMs: rest, reason: 'somebody changes the health check back each time' }
  const isContested = deps.mendings.mend(key, now)
  if (isContested) recordEvent('HealthCheckContested', { cluster, message: contestedMessage(found, spec) }, deps, ctx)
  await deps.client.mergePatch(machineHealthChecks, { namespace, name }, { patch: { metadata: { uid }, spec } }, ctx)
  return 'done'
}

function notOursMessage({ metadata }: MachineHealthCheck): string {
  return (
    `MachineHealthCheck ${metadata.name} lacks the label ${machineLabels.managed}, so the manager neither changes it nor creates ` +
    `one. Delete it to let the manager create one, or let it select the label ${machineLabels.remediationDue}.`
  )
}

function contestedMessage({ metadata }: MachineHealthCheck, spec: object): string {
  return (
    `Something keeps changing ${Object.keys(spec)
      .map((field) => `spec.${field}`)
      .join(' and ')} of MachineHealthCheck ${metadata.name}; ` +
    `meanwhile Machines may not be replaced. Exempt it from the policy or controller that edits it, or remove ` +
    `the label ${machineLabels.managed} to manage it yourself.`
  )
}

function recordEvent(
  reason: EventReason,
  { cluster, message }: { cluster: Cluster; message: string },
  { recorder }: RemediationDeps,
  ctx: Ctx,
): void {
  const object = { ...cluster, apiVersion: `${coreGroup}/v1beta2`, kind: 'Cluster' }
  recorder.event({ object, type: 'Warning', reason, message }, ctx)
}

function unlessExists(thrown: unknown): void {
  if (!isAlreadyExists(thrown)) throw thrown
}

function healthCheckFor({ metadata }: Cluster, watchFilter: string): MachineHealthCheck {
  const { namespace, name, uid = '' } = metadata
  return {
    metadata: {
      namespace,
      name: healthCheckName(name),
      labels: {
        [core.clusterName]: name,
        [machineLabels.managed]: '',
        ...(watchFilter ? { [core.watchFilter]: watchFilter } : {}),
      },
      // As core sets it.
      ownerReferences: [{ apiVersion: `${coreGroup}/v1beta2`, kind: 'Cluster', name, uid }],
    },
    spec: {
      clusterName: name,
      ...ownFields,
    },
  }
}

async function remove({ metadata }: MachineHealthCheck, { client }: RemediationDeps, ctx: Ctx): Promise<void> {
  const { namespace, name, uid } = metadata
  await client.delete(machineHealthChecks, { namespace, name }, { uid }, ctx).catch((thrown: unknown) => {
    if (!isNotFound(thrown)) throw thrown
  })
}
