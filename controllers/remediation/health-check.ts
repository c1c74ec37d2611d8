import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../api/ctx.ts'
import { coreGroup, machineHealthChecks, spotGroup } from '../../api/kinds.ts'
import { core, machineLabels, remediationDue } from '../../api/labels.ts'
import type { Cluster, MachineHealthCheck } from '../../api/machine.ts'
import type { EventReason } from '../../api/reasons.ts'
import { dueValues } from '../../api/rules/marks.ts'
import { isAlreadyExists, isNotFound } from '../runtime/api-error.ts'
import type { RemediationDeps } from './deps.ts'

/** Of the MachineHealthCheck that we keep for a Cluster. */
export function healthCheckName(cluster: string): string {
  return `${cluster}-spot-remediation`
}

export function isOurs({ metadata }: MachineHealthCheck): boolean {
  return metadata.labels?.[machineLabels.managed] !== undefined
}

/** Whether a Cluster is one that has a health check of ours, and is there to stay. */
export function hasSpotMachines(cluster: Cluster): boolean {
  return cluster.spec.infrastructureRef?.apiGroup === spotGroup && cluster.metadata.deletionTimestamp === undefined
}

/**
 * Makes it, restores it when somebody has edited it, and takes it away when nobody wants it. What has its name and not
 * our label is somebody else's.
 */
export async function keepHealthCheck(
  { namespace, name, cluster }: { namespace: string; name: string; cluster: Cluster | undefined },
  deps: RemediationDeps,
  ctx: Ctx,
): Promise<void> {
  const ref = { namespace, name: healthCheckName(name) }
  const found = deps.healthChecks.get(`${ref.namespace}/${ref.name}`)
  if (found && !isOurs(found)) {
    if (cluster) tellOfAnother(found, cluster, deps, ctx)
    return
  }
  if (!cluster) {
    if (found) await remove(found, deps, ctx)
    return
  }
  const wanted = healthCheckFor(cluster, deps.watchFilter)
  if (!found) {
    await deps.client.create(machineHealthChecks, wanted, ctx).catch((thrown: unknown) => {
      if (!isAlreadyExists(thrown)) throw thrown
    })
    return
  }
  const isAsWanted =
    isDeepStrictEqual(found.spec.selector, wanted.spec.selector) &&
    isDeepStrictEqual(found.spec['checks'], wanted.spec['checks']) &&
    bareRemediation(found.spec['remediation'])
  // Nothing is lost with it: what it has set in motion stands on the Machines.
  if (!isAsWanted && found.metadata.deletionTimestamp === undefined) await remove(found, deps, ctx)
}

/** It may do what ours would; whoever has made it knows. */
function tellOfAnother(
  { metadata }: MachineHealthCheck,
  cluster: Cluster,
  { recorder }: RemediationDeps,
  ctx: Ctx,
): void {
  const reason: EventReason = 'HealthCheckNotOurs'
  const message =
    `MachineHealthCheck ${metadata.name} lacks the label ${machineLabels.managed}, so it is left as it is, and none of ours is ` +
    `kept. It has to select the label ${machineLabels.remediationDue}; delete it to have ours made.`
  const object = { ...cluster, apiVersion: `${coreGroup}/v1beta2`, kind: 'Cluster' }
  recorder.event({ object, type: 'Warning', reason, message }, ctx)
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
      // As core sets it itself.
      ownerReferences: [{ apiVersion: `${coreGroup}/v1beta2`, kind: 'Cluster', name, uid }],
    },
    spec: {
      clusterName: name,
      selector: { matchLabels: { [machineLabels.remediationDue]: dueValues.managed } },
      checks: {
        nodeStartupTimeoutSeconds: 0,
        unhealthyMachineConditions: [{ type: remediationDue, status: 'True', timeoutSeconds: 0 }],
      },
    },
  }
}

/** Core fills in that any number of Machines may be unhealthy; everything else somebody has written. */
function bareRemediation(remediation: unknown): boolean {
  if (remediation === undefined) return true
  return isDeepStrictEqual(remediation, { triggerIf: { unhealthyLessThanOrEqualTo: '100%' } })
}

async function remove({ metadata }: MachineHealthCheck, { client }: RemediationDeps, ctx: Ctx): Promise<void> {
  const { namespace, name, uid } = metadata
  await client.delete(machineHealthChecks, { namespace, name }, { uid }, ctx).catch((thrown: unknown) => {
    if (!isNotFound(thrown)) throw thrown
  })
}
